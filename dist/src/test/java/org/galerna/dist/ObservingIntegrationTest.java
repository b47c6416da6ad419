package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.galerna.dist.ObservedProgram.Planned;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.Tools;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are looked at from outside, with {@code galerna.jar} as it was built. */
class ObservingIntegrationTest {
    /** In the emulated machine with adapters everything takes long. */
    private static final Duration LONGEST = Duration.ofMinutes(System.getenv("RXE_VM") == null ? 2 : 15);

    /** In each rank. */
    private static final int THREADS = 3;

    private static final Pattern PROCESS = Pattern.compile("rank (\\d+) is process (\\d+)\\.");

    private static ChildProcess start(String options, long seed) throws IOException {
        List<String> command = GalernaCommand.of(List.of("run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "--deadlock-timeout",
                "0",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                ObservedProgram.class.getName(),
                String.valueOf(seed),
                String.valueOf(THREADS)));
        return ChildProcess.start(command);
    }

    /** The process of each rank, once all of them wait. */
    private static Map<Integer, Long> processes(ChildProcess job, int ranks) throws InterruptedException {
        Map<Integer, Long> processes = new TreeMap<>();
        job.awaitOut(
                out -> {
                    Matcher found = PROCESS.matcher(out);
                    while (found.find()) {
                        processes.put(Integer.parseInt(found.group(1)), Long.parseLong(found.group(2)));
                    }
                    return processes.size() == ranks;
                },
                LONGEST);
        return processes;
    }

    private static JobReport report(long process) throws IOException {
        return JobReport.all().stream()
                .filter(job -> job.processes().contains(process))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no job with process " + process));
    }

    private static void check(JobReport job, long seed, int ranks) {
        check(job, seed, ranks, IntStream.range(0, ranks).boxed().collect(Collectors.toSet()));
    }

    /** What these ranks have sent and received is what they were to send and receive. */
    private static void check(JobReport job, long seed, int ranks, Set<Integer> left) {
        Map<String, Long> messages = new TreeMap<>();
        Map<String, Long> arrivals = new TreeMap<>();
        Map<String, Long> bytes = new TreeMap<>();
        for (Planned each : ObservedProgram.plan(seed, ranks, THREADS)) {
            String pair = each.source() + " to " + each.destination();
            if (left.contains(each.source())) {
                messages.merge(pair, 1L, Long::sum);
                bytes.merge(pair, (long) each.bytes(), Long::sum);
            }
            if (left.contains(each.destination())) {
                arrivals.merge(pair, 1L, Long::sum);
            }
        }
        List<RankReport> reports =
                job.ranks().stream().filter(rank -> left.contains(rank.rank())).toList();
        assertThat(reports).hasSize(left.size());
        Map<String, Long> sent = new TreeMap<>();
        Map<String, Long> sentBytes = new TreeMap<>();
        Map<String, Long> received = new TreeMap<>();
        for (RankReport rank : reports) {
            for (RankReport.Peer peer : rank.peers()) {
                sent.put(
                        rank.rank() + " to " + peer.peer(),
                        peer.sent().messages().getFirst());
                sentBytes.put(
                        rank.rank() + " to " + peer.peer(), peer.sent().bytes().getFirst());
                received.put(
                        peer.peer() + " to " + rank.rank(),
                        peer.received().messages().getFirst());
            }
        }
        sent.values().removeIf(count -> count == 0);
        received.values().removeIf(count -> count == 0);
        assertThat(sent).isEqualTo(messages);
        assertThat(received).isEqualTo(arrivals);
        bytes.forEach((pair, sum) -> assertThat(sentBytes).as(pair).containsEntry(pair, sum));
    }

    private static String galerna(String... words) throws Exception {
        try (ChildProcess command = ChildProcess.start(GalernaCommand.of(List.of(words)))) {
            command.endInput();
            int status = command.awaitExit(LONGEST);
            assertThat(status).as(() -> command.out() + command.err()).isZero();
            return command.out();
        }
    }

    @Test
    @Tag("slow")
    void countersAreThereAfterARankWasKilled() throws Exception {
        killsARank("-n 3 --procs --device shmdev", 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 3 --procs --device niodev",
                "-n 3 --procs --device unixdev",
                "-n 3 --procs",
                "-n 4 --procs --ranks-per-process 2",
                "-n 3 --procs --device iodev"
            })
    @Tag("slow")
    void countersAreThereAfterARankWasKilledEverywhere(String options) throws Exception {
        killsARank(options, Integer.parseInt(options.split(" ")[1]));
    }

    @Test
    @Tag("slow")
    void countersAreThereAfterARankWasKilledOverLibfabric() throws Exception {
        Tools.requireLibrary("libfabric.so.1", "libfabric1");
        killsARank("-n 3 --procs --device ofidev", 3);
    }

    @Test
    @Tag("slow")
    void countersAreThereAfterARankWasKilledOverUcx() throws Exception {
        Tools.requireLibrary("libucp.so.0", "libucx0");
        killsARank("-n 3 --procs --device ucxdev", 3, Set.of(1)); // the others end in order by themselves
    }

    /** Not only of this class: see {@link VerbsObservingSuite}. */
    static void killsARank(String options, int ranks) throws Exception {
        killsARank(options, ranks, IntStream.range(0, ranks).boxed().collect(Collectors.toSet()));
    }

    private static void killsARank(String options, int ranks, Set<Integer> left) throws Exception {
        long seed = Seeds.next("countersAreThereAfterARankWasKilled");
        try (ChildProcess job = start(options, seed)) {
            Map<Integer, Long> processes = processes(job, ranks);
            check(report(processes.get(0)), seed, ranks);
            ChildProcess.signal("KILL", processes.get(1));
            job.awaitExit(LONGEST);
            JobReport ended = report(processes.get(1));
            assertThat(ended.isAlive()).isFalse();
            check(ended, seed, ranks, left);
            assertThat(galerna("jobs")).contains(ended.id() + " ended ");
        }
    }

    @Test
    void whereAndTopShowWhoWaitsForWhom() throws Exception {
        looksAtAHungJob("-n 3 --device smdev", 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 3 --procs --device shmdev",
                "-n 3 --procs --device niodev",
                "-n 4 --procs --ranks-per-process 2",
                "-n 64 --device smdev"
            })
    @Tag("slow")
    void whereAndTopShowWhoWaitsForWhomEverywhere(String options) throws Exception {
        looksAtAHungJob(options, Integer.parseInt(options.split(" ")[1]));
    }

    private static void looksAtAHungJob(String options, int ranks) throws Exception {
        long seed = Seeds.next("whereAndTopShowWhoWaitsForWhom");
        try (ChildProcess job = start(options, seed)) {
            String id = looksAt(job, seed, ranks);
            ChildProcess.signal("USR1", job.pid());
            job.awaitErr(err -> err.contains("  cycle: 0 "), LONGEST);
            assertThat(job.err()).contains("job " + id, "rank 1, in receive from rank 2, tag 99 for ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMIX"})
    @Tag("slow")
    void jobsOfEveryManagerAreLookedAt(JobManagers.Kind kind) throws Exception {
        long seed = Seeds.next("jobsOfEveryManagerAreLookedAt");
        int ranks = 3;
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dgalerna.deadlock.timeout=0",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Path.of("target/galerna.jar").toAbsolutePath()
                        + File.pathSeparator
                        + Path.of("target/test-classes").toAbsolutePath(),
                ObservedProgram.class.getName(),
                String.valueOf(seed),
                String.valueOf(THREADS));
        try (JobManagers managers = new JobManagers();
                ChildProcess job = managers.launcher(kind).start(ranks, command)) {
            looksAt(job, seed, ranks);
        }
    }

    private static String looksAt(ChildProcess job, long seed, int ranks) throws Exception {
        long process = processes(job, ranks).get(0);
        Deadline.after(LONGEST).await("all wait", () -> isBlocked(process, ranks));
        check(report(process), seed, ranks);
        String id = report(process).id();
        String where = galerna("where", id);
        for (int rank = 0; rank < ranks; rank++) {
            int next = (rank + 1) % ranks;
            assertThat(where)
                    .contains("rank " + rank + ", in receive from rank " + next + ", tag 99 for ")
                    .contains(", waits for rank " + next + "\n");
        }
        assertThat(where)
                .contains("    at org.galerna.dist.ObservedProgram.awaitNext(ObservedProgram.java:")
                .contains("  cycle: 0 → 1 → ");
        String top = galerna("top", String.valueOf(process), "--interval", "0.1");
        assertThat(top).contains("job " + id + ", ", "1, receive, ").containsAnyOf("cycle: 0 ", "most awaited: ");
        assertThat(galerna("top", id, "--json")).contains("\"call\": \"receive from rank 1, tag 99\"");
        assertThat(galerna("top", id, "--metrics")).contains("galerna_up{job=\"" + id + "\",rank=\"0\"} 1\n");
        return id;
    }

    private static boolean isBlocked(long process, int ranks) {
        try {
            List<RankReport> found = report(process).ranks();
            return found.size() == ranks
                    && found.stream()
                            .allMatch(rank -> rank.waiting().stream()
                                    .anyMatch(call -> call.text().contains("tag 99")));
        } catch (IOException changing) {
            return false;
        }
    }
}
