package org.galerna.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.report.JobResult;
import org.galerna.profile.analysis.Profile;
import org.galerna.profile.analysis.Profile.Late;
import org.galerna.profile.analysis.ProfileReader;
import org.galerna.profile.file.RankFile;
import org.galerna.programs.RandomTrafficProgram;
import org.galerna.programs.TracedProgram;
import org.galerna.programs.WaitingProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of real jobs, whose ranks are threads of this JVM. */
class ProfileTest {
    private static final int ROUNDS = 20;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void record() {
        System.setProperty(ProfileSettings.FOLDER, folder.toString());
    }

    @AfterAll
    static void recordNoMore() {
        System.clearProperty(ProfileSettings.FOLDER);
    }

    @BeforeEach
    void empty() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(folder)) {
                    Files.delete(each);
                }
            }
        }
    }

    private static Profile run(int ranks, Class<?> program, String... arguments) throws IOException {
        JobResult result = ThreadJob.builder()
                .ranks(ranks)
                .mainClass(program.getName())
                .arguments(List.of(arguments))
                .build()
                .run();
        assertThat(result.report()).isEmpty();
        List<RankFile> files = ProfileReader.files(folder);
        assertThat(files).hasSize(ranks);
        return ProfileReader.of(files);
    }

    @Test
    void theSumsAreThoseOfTheProgram() throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        int ranks = 3;
        Profile profile = run(ranks, RandomTrafficProgram.class, String.valueOf(seed));
        long[][][] expected = RandomTrafficProgram.expected(seed, ranks);
        long[][][] found = new long[2][ranks][ranks];
        for (Profile.Cell cell : profile.matrix()) {
            found[0][cell.from()][cell.to()] += cell.messages();
            found[1][cell.from()][cell.to()] += cell.bytes();
        }
        assertThat(found).as("seed %d", seed).isDeepEqualTo(expected);
        long messages = Stream.of(expected[0]).flatMapToLong(Arrays::stream).sum();
        assertThat(profile.sizes().stream().mapToLong(Long::longValue).sum()).isEqualTo(messages);
    }

    @Test
    void aLateSenderIsNamedWithBothLines() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "sender");
        Profile.Wait worst = profile.waits().getFirst();
        assertThat(worst.late()).isEqualTo(Late.SENDER);
        assertThat(worst.rank()).isEqualTo(1);
        assertThat(worst.other()).isZero();
        assertThat(worst.site()).matches("Recv at org\\.galerna\\.programs\\.WaitingProgram\\.lateSender:\\d+");
        assertThat(worst.otherSite()).matches("Send at .*\\.lateSender:\\d+");
        assertThat(worst.number()).isBetween(ROUNDS / 2L, (long) ROUNDS);
        assertThat(worst.seconds()).isGreaterThan(0.005 * ROUNDS / 2);
        assertThat(profile.advice())
                .anySatisfy(advice -> assertThat(advice.title()).isEqualTo("Rank 0 sends late"));
    }

    @Test
    void aLateReceiverIsNamedWithBothLines() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "receiver");
        Profile.Wait worst = profile.waits().getFirst();
        assertThat(worst.late()).isEqualTo(Late.RECEIVER);
        assertThat(worst.rank()).isZero();
        assertThat(worst.other()).isEqualTo(1);
        assertThat(worst.site()).startsWith("Ssend at ");
        assertThat(worst.otherSite()).startsWith("Recv at ");
        assertThat(profile.advice())
                .anySatisfy(advice -> assertThat(advice.title()).isEqualTo("Rank 1 receives late"));
    }

    @Test
    void theRankThatComputesLongestIsNamed() throws IOException {
        Profile profile = run(4, WaitingProgram.class, "uneven");
        Profile.Computing worst = profile.computing().stream()
                .filter(each -> each.from().equals(each.to()))
                .findFirst()
                .orElseThrow();
        assertThat(worst.rank()).isEqualTo(2);
        assertThat(worst.seconds()).isGreaterThan(1.5 * worst.others());
        assertThat(worst.number()).isEqualTo(ROUNDS - 1);
        Profile.Together barrier = profile.together().getFirst();
        assertThat(barrier.site()).startsWith("Barrier at ");
        assertThat(barrier.number()).isEqualTo(ROUNDS);
        assertThat(barrier.lastRank()).isEqualTo(2);
        assertThat(profile.advice())
                .anySatisfy(advice -> assertThat(advice.title()).isEqualTo("Rank 2 computes longer than the others"));
    }

    @Test
    void aMasterThatHoldsUpItsWorkersIsNamed() throws IOException {
        Profile profile = run(4, WaitingProgram.class, "master");
        assertThat(profile.advice()).anySatisfy(advice -> {
            assertThat(advice.title()).isEqualTo("Rank 0 sends late");
            assertThat(advice.text()).startsWith("Ranks 1, 2, 3 wait").contains("All others depend on rank 0");
        });
    }

    @Test
    void moreRanksThanProcessorsAreSaid() throws IOException {
        int ranks = Runtime.getRuntime().availableProcessors() + 1;
        Profile profile = run(ranks, WaitingProgram.class, "thrown");
        assertThat(profile.advice().getFirst().title()).isEqualTo("There are more ranks than processors");
    }

    @Test
    void aCallThatThrowsEndsToo() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "thrown");
        assertThat(profile.sites()).anySatisfy(site -> {
            assertThat(site.call()).isEqualTo("Send");
            assertThat(site.number()).isEqualTo(2 * ROUNDS);
        });
        assertThat(profile.matrix()).isEmpty();
    }

    @Test
    void messagesOfThreadsThatShareATagAreNotToldApart() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "threads", "1");
        assertThat(profile.untold()).isPositive();
        assertThat(profile.waits()).isEmpty();
        assertThat(profile.matrix()).allMatch(cell -> cell.messages() == 2L * ROUNDS * 10);
    }

    @Test
    void messagesOfThreadsWithTagsOfTheirOwnAreToldApart() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "threads", "2");
        assertThat(profile.untold()).isZero();
        assertThat(profile.matrix()).allMatch(cell -> cell.messages() == 2L * ROUNDS * 10);
    }

    @Test
    void messagesOfThreadsThatHandOnToEachOtherAreToldApart() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "handed");
        assertThat(profile.untold()).isZero();
        assertThat(profile.sites().stream()
                        .filter(site -> site.call().equals("Recv"))
                        .mapToLong(Profile.SiteRow::number)
                        .sum())
                .isEqualTo(2L * ROUNDS);
    }

    @Test
    void messagesAfterACancelledReceiveAreNotTakenForOthers() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "cancelled");
        assertThat(profile.untold()).isEqualTo(ROUNDS + 1);
        assertThat(profile.waits()).isEmpty();
    }

    @Test
    void collectivesHaveTheBytesThatRanksGive() throws IOException {
        Profile profile = run(4, TracedProgram.class);
        Map<String, Long> bytes = profile.sites().stream()
                .filter(site -> site.place().contains(".collectives:"))
                .collect(Collectors.toMap(Profile.SiteRow::call, Profile.SiteRow::bytes));
        assertThat(bytes)
                .containsEntry("Barrier", 0L)
                .containsEntry("Gather", 4 * 3L)
                .containsEntry("Scatterv", 1 + 2 + 3 + 4L)
                .containsEntry("Alltoall", 4 * 4 * 2 * 4L)
                .containsEntry("Reduce_scatter", 4 * (1 + 2 + 3 + 4) * 4L)
                .containsEntry("Allgatherv", 1 + 2 + 3 + 4L)
                .containsEntry("Iallreduce", 4 * 5 * 4L)
                .containsEntry("Wait", 0L);
    }

    @Test
    void theEndIsACall() throws IOException {
        Profile profile = run(3, WaitingProgram.class, "uneven");
        assertThat(profile.sites()).anySatisfy(site -> {
            assertThat(site.call()).isEqualTo("Finalize");
            assertThat(site.number()).isEqualTo(3);
        });
    }

    @Test
    void theProgramSaysWhatIsRecorded() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "part");
        assertThat(profile.matrix())
                .singleElement()
                .satisfies(cell -> assertThat(cell.messages()).isEqualTo(ROUNDS / 2));
        assertThat(profile.waits().getFirst().number()).isBetween(1L, ROUNDS / 2L);
        assertThat(profile.each()).allSatisfy(rank -> {
            double inCalls =
                    rank.inCalls().stream().mapToDouble(Double::doubleValue).sum();
            assertThat(rank.notRecorded()).isPositive();
            assertThat(inCalls + rank.outside()).isCloseTo(rank.recorded(), within(0.01));
        });
    }

    @Test
    void recordingBeginsLaterIfThatIsWanted() throws IOException {
        System.setProperty(ProfileSettings.AFTER, "0.05");
        try {
            Profile profile = run(2, WaitingProgram.class, "sender");
            assertThat(profile.sites())
                    .isNotEmpty()
                    .noneMatch(site -> site.call().equals("Init"));
            assertThat(profile.each()).allMatch(rank -> rank.notRecorded() >= 0.05 && rank.recorded() > 0);
        } finally {
            System.clearProperty(ProfileSettings.AFTER);
        }
    }

    @Test
    void timesAddUp() throws IOException {
        Profile profile = run(2, WaitingProgram.class, "sender");
        for (Profile.Rank rank : profile.each()) {
            double inCalls =
                    rank.inCalls().stream().mapToDouble(Double::doubleValue).sum();
            assertThat(inCalls + rank.outside()).isCloseTo(rank.end() - rank.begin(), within(0.01));
            double ofSites = profile.sites().stream()
                    .mapToDouble(Profile.SiteRow::seconds)
                    .sum();
            assertThat(ofSites).isGreaterThan(inCalls * 0.99);
            assertThat(rank.finished()).isTrue();
        }
    }

    private static Offset<Double> within(double seconds) {
        return Offset.offset(seconds);
    }
}
