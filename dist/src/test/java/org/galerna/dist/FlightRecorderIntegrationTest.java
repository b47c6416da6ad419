package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code galerna run --jfr}, read by the JDK's reader. */
@TestInstance(Lifecycle.PER_CLASS)
class FlightRecorderIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** Rank 1 sends many messages that rank 0 does not want yet, and a long one that it takes late. Rank 0 is late for a barrier. */
    private static final String PROGRAM = """
            import mpi.*;

            public class Program {
                static void sleep() throws Exception {
                    java.util.concurrent.TimeUnit.MILLISECONDS.sleep(600);
                }

                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    byte[] buffer = new byte[1 << 20];
                    if (rank == 1) {
                        Request[] sent = new Request[1500];
                        for (int each = 0; each < sent.length; each++) {
                            sent[each] = MPI.COMM_WORLD.Isend(buffer, 0, 1, MPI.BYTE, 0, 3);
                        }
                        MPI.COMM_WORLD.Send(buffer, 0, 1, MPI.BYTE, 0, 4);
                        Request.Waitall(sent);
                        MPI.COMM_WORLD.Send(buffer, 0, buffer.length, MPI.BYTE, 0, 5);
                    } else {
                        MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.BYTE, 1, 4);
                        for (int each = 0; each < 1500; each++) {
                            MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.BYTE, 1, 3);
                        }
                        sleep();
                        MPI.COMM_WORLD.Recv(buffer, 0, buffer.length, MPI.BYTE, 1, 5);
                        sleep();
                    }
                    MPI.COMM_WORLD.Barrier();
                    if (args[0].equals("kill") && rank == 1) {
                        java.util.concurrent.TimeUnit.SECONDS.sleep(3); // what is recorded is written once a second
                        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
                    }
                    if (args[0].equals("kill")) {
                        MPI.COMM_WORLD.Barrier();
                    }
                    MPI.Finalize();
                }
            }
            """;

    private Path folder;
    private Path classes;

    @BeforeAll
    void compile(@TempDir Path temporary) {
        folder = temporary;
        classes = Programs.compile(folder.resolve("classes"), PROGRAM);
    }

    private String run(int status, String options, String argument, Path target) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2", "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("--jfr", target.toString(), "-cp", classes.toString(), "Program", argument));
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(GalernaCommand.of(words)))) {
            process.endInput();
            assertThat(process.awaitExit(LONGEST)).as(process.err()).isEqualTo(status);
            assertThat(process.out())
                    .as("output of a program that prints nothing")
                    .isEmpty();
            return process.err();
        }
    }

    private static List<RecordedEvent> read(Path recording, String name) throws IOException {
        return RecordingFile.readAllEvents(recording).stream()
                .filter(event -> event.getEventType().getName().equals("org.galerna." + name))
                .toList();
    }

    private static boolean isBetween(RecordedEvent event, int rank, int peer) {
        return event.getInt("rank") == rank && event.getInt("peer") == peer;
    }

    private static void checkRareEvents(Path ofRank0, Path ofRank1, String link) throws IOException {
        assertThat(read(ofRank1, "RankJoined")).anySatisfy(event -> {
            assertThat(event.getInt("rank")).isEqualTo(1);
            assertThat(event.getInt("ranks")).isEqualTo(2);
            assertThat(event.getEventType().getCategoryNames()).containsExactly("Galerna", "Connections");
        });
        assertThat(read(ofRank0, "LinkChosen")).anySatisfy(event -> {
            assertThat(event.getInt("rank")).isZero();
            assertThat(event.getString("peers")).isEqualTo("1");
            assertThat(event.getString("link")).isEqualTo(link);
        });
        assertThat(read(ofRank1, "ChannelOpened")).anyMatch(event -> isBetween(event, 1, 0));
        assertThat(read(ofRank0, "UnexpectedMessages")).anySatisfy(event -> {
            assertThat(isBetween(event, 0, 1)).isTrue();
            assertThat(event.getInt("number")).isEqualTo(1024);
        });
        assertThat(read(ofRank1, "Rendezvous")).anySatisfy(event -> {
            assertThat(isBetween(event, 1, 0)).isTrue();
            assertThat(event.getLong("bytes")).isEqualTo(1 << 20);
            assertThat(event.getInt("tag")).isEqualTo(5);
            assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(80));
        });
        assertThat(read(ofRank1, "Wait")).anySatisfy(event -> {
            assertThat(isBetween(event, 1, 0)).isTrue();
            assertThat(event.getString("call")).isEqualTo("send");
            assertThat(event.getStackTrace().getFrames())
                    .anyMatch(frame -> frame.getMethod().getType().getName().equals("Program"));
        });
        assertThat(read(ofRank1, "Collective")).anySatisfy(event -> {
            assertThat(event.getInt("rank")).isEqualTo(1);
            assertThat(event.getString("name")).isEqualTo("Barrier");
            assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(19));
        });
    }

    @Test
    @Tag("slow")
    void rareEventsOfRanksAreInOneFile() throws Exception {
        Path own = Files.createTempDirectory(folder, "threads");
        Path file = own.resolve("run.jfr");
        assertThat(run(0, "--device smdev", "", file)).contains("the recording is " + file + ", of one process");
        checkRareEvents(file, file, "threads");
        assertThat(read(file, "MessageSent")).isEmpty();
        assertThat(read(file, "RankLeft")).allMatch(event -> event.getBoolean("inOrder"));
        try (Stream<Path> left = Files.list(own)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    @Tag("slow")
    void eachProcessHasAFileInAFolder() throws Exception {
        Path own = Files.createTempDirectory(folder, "processes").resolve("out");
        String said = run(137, "--procs --device niodev --jfr-settings messages", "kill", own);
        assertThat(said).contains("the recordings are in " + own);
        Path rank0 = own.resolve("rank-0.jfr");
        Path rank1 = own.resolve("rank-1.jfr"); // of the process that was killed
        checkRareEvents(rank0, rank1, "tcp");
        assertThat(read(rank0, "ConnectionMade"))
                .anyMatch(event -> isBetween(event, 0, 1) && event.getInt("number") == 1);
        assertThat(read(rank0, "RankLeft")).anySatisfy(event -> {
            assertThat(isBetween(event, 0, 1)).isTrue();
            assertThat(event.getBoolean("inOrder")).isFalse();
            assertThat(event.getString("reason")).isNotEmpty();
        });
        assertThat(read(rank1, "MessageSent"))
                .filteredOn(event -> event.getInt("tag") == 3 && isBetween(event, 1, 0))
                .hasSize(1500)
                .allMatch(event ->
                        event.getLong("bytes") == 1 && event.getString("kind").equals("messages"));
        assertThat(read(rank0, "MessageReceived"))
                .filteredOn(event -> event.getInt("tag") == 3 && isBetween(event, 0, 1))
                .hasSize(1500);
    }

    @Test
    @Tag("slow")
    void theFilesOfProcessesBecomeOne() throws Exception {
        Path file = Files.createTempDirectory(folder, "merged").resolve("run.jfr");
        Instant begin = Instant.now();
        assertThat(run(137, "--procs --device shmdev", "kill", file)).contains("of 2 processes");
        Instant end = Instant.now();
        assertThat(chunks(file)).hasSizeGreaterThan(2); // one of them is empty
        checkRareEvents(file, file, "shm");
        List<RecordedEvent> joined = read(file, "RankJoined");
        assertThat(joined).extracting(event -> event.getInt("rank")).containsExactlyInAnyOrder(0, 1);
        assertThat(joined).allSatisfy(event -> assertThat(event.getStartTime()).isBetween(begin, end));
        assertThat(RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals("jdk.JVMInformation"))
                        .map(event -> event.getLong("pid"))
                        .distinct())
                .hasSize(2);
    }

    /** Each chunk begins with its name and says how long it is. */
    private static List<Long> chunks(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<Long> chunks = new ArrayList<>();
        for (int at = 0; at < bytes.capacity(); at += (int) bytes.getLong(at + 8)) {
            assertThat(bytes.getInt(at)).as("FLR").isEqualTo(0x464c5200);
            assertThat(bytes.get(at + 64)).as("state").isZero();
            chunks.add(bytes.getLong(at + 8));
        }
        return chunks;
    }
}
