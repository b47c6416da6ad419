package org.galerna.profile.otf2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.galerna.launch.ThreadJob;
import org.galerna.profile.ProfileSettings;
import org.galerna.profile.analysis.ProfileReader;
import org.galerna.profile.file.RankFile;
import org.galerna.programs.TracedProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The archive of a real job. */
class ArchiveTest {
    private static final int RANKS = 4;
    private static final int STRING = 0x0a;
    private static final int BROADCAST = 1;
    private static final int INTERCOMMUNICATOR = 0x2b;

    @TempDir
    private static Path folder;

    private static List<RankFile> files;
    private static ArchiveReader archive;

    @BeforeAll
    static void record() throws IOException {
        System.setProperty(ProfileSettings.FOLDER, folder.toString());
        ThreadJob.builder()
                .ranks(RANKS)
                .mainClass(TracedProgram.class.getName())
                .build()
                .run();
        files = ProfileReader.files(folder);
        Archive.write(files, "a program", folder.resolve("archive"));
        archive = new ArchiveReader(folder.resolve("archive"));
    }

    @AfterAll
    static void recordNoMore() {
        System.clearProperty(ProfileSettings.FOLDER);
    }

    /** A message as one of its ends tells it: communicator, ranks in the job, tag, bytes. */
    private record Message(long communicator, long from, long to, long tag, long bytes) {}

    private static List<List<Long>> definitions(int type) {
        return archive.definitions.stream()
                .filter(each -> each.type() == type)
                .map(ArchiveReader.Definition::fields)
                .toList();
    }

    private static long rankOf(long location) {
        return definitions(0x0e).stream()
                .filter(each -> each.getFirst() == location)
                .findFirst()
                .orElseThrow()
                .get(4);
    }

    /** The rank in the job of a rank of a communicator; of an intercommunicator, of the group that another one is not in. */
    private static long jobRank(long communicator, long rank, long own) {
        List<Long> found = communicator(communicator);
        List<Long> first = members(found.get(2));
        List<Long> members = found.size() == 6 && first.contains(own) ? members(found.get(3)) : first;
        return members.get((int) rank);
    }

    private static List<Long> communicator(long id) {
        return Stream.concat(definitions(0x16).stream(), definitions(INTERCOMMUNICATOR).stream())
                .filter(each -> each.getFirst() == id)
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> members(long group) {
        List<Long> fields = definitions(0x12).get((int) group);
        return fields.subList(4, 4 + fields.get(3).intValue());
    }

    private static List<Message> messages(int... types) {
        List<Message> found = new ArrayList<>();
        archive.events.forEach((location, events) -> {
            for (ArchiveReader.Event event : events) {
                if (event.type() == types[0] || event.type() == types[1]) {
                    List<Long> fields = event.fields();
                    long own = rankOf(location);
                    long other = jobRank(fields.get(1), fields.get(0), own);
                    boolean sent = types[0] == 0x0e;
                    found.add(new Message(
                            fields.get(1), sent ? own : other, sent ? other : own, fields.get(2), fields.get(3)));
                }
            }
        });
        return found;
    }

    @Test
    void eachMessageIsThereAtBothEnds() {
        List<Message> sent = messages(0x0e, 0x0f);
        assertThat(sent).containsExactlyInAnyOrderElementsOf(messages(0x12, 0x13));
        assertThat(sent)
                .filteredOn(message -> message.tag < TracedProgram.tags())
                .hasSize(RANKS * TracedProgram.ROUNDS * TracedProgram.tags());
        for (int tag = 0; tag < TracedProgram.tags(); tag++) {
            long ofTag = tag;
            assertThat(sent)
                    .filteredOn(message -> message.tag == ofTag)
                    .allMatch(message -> message.bytes == TracedProgram.bytes((int) ofTag))
                    .hasSize(RANKS * TracedProgram.ROUNDS);
        }
        assertThat(sent)
                .filteredOn(message -> message.tag == 0)
                .allMatch(message -> message.to == (message.from + 2) % 4);
        assertThat(sent).filteredOn(message -> message.tag == 1).allMatch(message -> message.to == message.from);
        assertThat(sent)
                .filteredOn(message -> message.tag == 2)
                .allMatch(message -> message.to == (message.from + 1) % 4);
    }

    @Test
    void messagesBetweenGroupsNameTheirRanks() {
        assertThat(messages(0x0e, 0x0f))
                .filteredOn(message -> message.tag == TracedProgram.BETWEEN)
                .allMatch(message -> message.bytes == TracedProgram.BETWEEN)
                .extracting(message -> message.from + " to " + message.to)
                .containsExactlyInAnyOrder("0 to 1", "1 to 0", "2 to 3", "3 to 2");
        assertThat(definitions(INTERCOMMUNICATOR)).singleElement().satisfies(between -> {
            assertThat(members(between.get(2))).containsExactly(2L, 0L);
            assertThat(members(between.get(3))).containsExactly(3L, 1L);
        });
    }

    @Test
    void callsAreNestedInTheProgram() {
        archive.events.forEach((location, events) -> {
            Deque<Long> regions = new ArrayDeque<>();
            for (ArchiveReader.Event event : events) {
                if (event.type() == 0x0c) {
                    regions.push(event.fields().getFirst());
                    assertThat(regions.getLast()).isZero();
                    assertThat(regions).hasSizeLessThanOrEqualTo(2);
                } else if (event.type() == 0x0d) {
                    assertThat(regions.pop()).isEqualTo(event.fields().getFirst());
                } else {
                    assertThat(regions).hasSize(2);
                }
            }
            assertThat(regions).isEmpty();
        });
    }

    @Test
    void requestsThatBeginEnd() {
        int requests = 0;
        for (List<ArchiveReader.Event> events : archive.events.values()) {
            Set<Long> open = new HashSet<>();
            for (ArchiveReader.Event event : events) {
                switch (event.type()) {
                    case 0x0f, 0x11 ->
                        assertThat(open.add(event.fields().getLast())).isTrue();
                    case 0x10, 0x13 -> {
                        assertThat(open.remove(event.fields().getLast())).isTrue();
                        requests++;
                    }
                    default -> {}
                }
            }
            assertThat(open).isEmpty();
        }
        assertThat(requests).isBetween(RANKS * TracedProgram.ROUNDS, RANKS * (2 * TracedProgram.ROUNDS + 1));
    }

    @Test
    void threadsHaveLocationsOfTheirRank() {
        assertThat(archive.events.keySet()).contains(0L, 1L, 2L, 3L);
        assertThat(archive.events.size()).isBetween(RANKS + 1, 3 * RANKS); // a thread a round, one after the other
        assertThat(archive.strings.values()).contains("rank 3", "rank 0, thread 2", "MPI_COMM_WORLD", "a program");
        long calls = archive.events.values().stream()
                .flatMap(List::stream)
                .filter(event -> event.type() == 0x0c && event.fields().getFirst() != 0)
                .count();
        assertThat(calls)
                .isEqualTo(files.stream()
                        .mapToLong(file -> file.trace().calls().size())
                        .sum());
        assertThat(files).allMatch(file -> file.trace().whole());
    }

    @Test
    void eachCollectiveCallNamesItsOperationAndCommunicator() {
        List<ArchiveReader.Event> ends = archive.events.values().stream()
                .flatMap(List::stream)
                .filter(event -> event.type() == 0x17)
                .toList();
        assertThat(ends).allSatisfy(event -> {
            List<Long> communicator = communicator(event.fields().get(1));
            assertThat(archive.strings.get(communicator.get(1))).isEqualTo("MPI_COMM_WORLD");
        });
        assertThat(ends)
                .filteredOn(event -> event.fields().getFirst() == BROADCAST)
                .hasSize(RANKS * TracedProgram.ROUNDS);
    }

    /** Root, and what ranks 0 to 3 give and get, in bytes. */
    @ParameterizedTest
    @CsvSource({
        "0, -1, 0 0 0 0, 0 0 0 0", // barrier
        "1, 2, 0 0 1 0, 1 1 0 1", // broadcast
        "2, 1, 3 3 3 3, 0 12 0 0", // gather
        "5, 3, 0 0 0 10, 1 2 3 4", // scatterv
        "8, -1, 32 32 32 32, 32 32 32 32", // alltoall
        "13, -1, 40 40 40 40, 4 8 12 16", // reduce-scatter
        "7, -1, 1 2 3 4, 10 10 10 10" // allgatherv
    })
    void eachCollectiveCallNamesItsRootAndItsBytes(long operation, long root, String given, String gotten) {
        for (int rank = 0; rank < RANKS; rank++) {
            long expectedGiven = Long.parseLong(given.split(" ")[rank]);
            long expectedGotten = Long.parseLong(gotten.split(" ")[rank]);
            assertThat(archive.events.get((long) rank))
                    .filteredOn(event -> event.type() == 0x17 && event.fields().getFirst() == operation)
                    .isNotEmpty()
                    .allSatisfy(event -> assertThat(event.fields().subList(2, 5))
                            .containsExactly(root, expectedGiven, expectedGotten));
        }
    }

    @Test
    void placesOfCallsAreRegions() {
        assertThat(definitions(0x0f)).anySatisfy(region -> {
            assertThat(archive.strings.get(region.get(1))).isEqualTo("MPI_Sendrecv");
            assertThat(archive.strings.get(region.get(4))).isEqualTo(TracedProgram.class.getName());
            assertThat(region.get(5)).isGreaterThan(20);
        });
        assertThat(definitions(STRING)).doesNotHaveDuplicates();
    }

    @Test
    void aRankWithoutFileHasALocationWithoutEvents() throws IOException {
        Path other = folder.resolve("three");
        Archive.write(files.subList(0, 3), "a program", other);
        ArchiveReader three = new ArchiveReader(other);
        assertThat(three.events.get(3L)).isEmpty();
        assertThat(three.events.get(2L)).isNotEmpty();
    }
}
