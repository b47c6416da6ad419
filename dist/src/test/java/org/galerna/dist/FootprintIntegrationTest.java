package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code --explain} says of memory, files and threads, beside what a job takes. */
class FootprintIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final String RANGE = "(\\d+)(?: to (\\d+))?";
    private static final Pattern SAID = Pattern.compile("rank 0 takes, beside its heap: " + RANGE
            + " KiB of memory for messages, " + RANGE + " open files, " + RANGE + " threads, " + RANGE
            + " files in shared memory");
    private static final Pattern FOUND = Pattern.compile("bytes (\\d+) files (\\d+) threads (\\d+)");

    private record Range(long least, long most) {
        static Range of(Matcher said, int group) {
            long least = Long.parseLong(said.group(group));
            return new Range(least, said.group(group + 1) == null ? least : Long.parseLong(said.group(group + 1)));
        }
    }

    /** What was said, and what was found at the end, when all ranks have talked to each other. */
    private record Job(Range kibibytes, Range files, Range threads, long bytesFound, int filesFound, int threadsFound) {
        void check() {
            assertThat((long) filesFound).as(this.toString()).isBetween(files.least(), files.most());
            assertThat((long) threadsFound).as(this.toString()).isBetween(threads.least(), threads.most());
            assertThat(bytesFound).as(this.toString()).isLessThanOrEqualTo(1024 * kibibytes.most());
        }
    }

    private static Job run(String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("run", "--explain"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp", Path.of("target/test-classes").toAbsolutePath().toString(), FootprintProgram.class.getName()));
        try (ChildProcess process = ChildProcess.start(GalernaCommand.of(command))) {
            assertThat(process.awaitExit(LONGEST))
                    .as(process.out() + process.err())
                    .isZero();
            Matcher said = SAID.matcher(process.err());
            assertThat(said.find()).as(process.err()).isTrue();
            Matcher found = FOUND.matcher(process.out());
            assertThat(found.find()).as(process.out()).isTrue();
            return new Job(
                    Range.of(said, 1),
                    Range.of(said, 3),
                    Range.of(said, 5),
                    Long.parseLong(found.group(1)),
                    Integer.parseInt(found.group(2)),
                    Integer.parseInt(found.group(3)));
        }
    }

    @Tag("slow")
    @Test
    void processesOfOneHostTakeWhatWasSaid() throws InterruptedException {
        Job job = run("-n", "4", "--procs", "--device", "shmdev");
        job.check();
        // each of three peers of the four ranks, the own one among them, has its rings
        assertThat(job.bytesFound())
                .as(job.toString())
                .isGreaterThan(1024 * (job.kibibytes().most() - 150) * 3 / 4);
    }

    @Test
    @Tag("slow")
    void processesWithQueuesTakeWhatWasSaid() throws InterruptedException {
        Job job = run("-n", "10", "--procs", "--device", "shmdev");
        job.check();
        assertThat(job.bytesFound())
                .as(job.toString())
                .isGreaterThan(1024 * job.kibibytes().least())
                .isGreaterThan(1024 * job.kibibytes().most() / 2);
    }

    @Test
    @Tag("slow")
    void ranksOverTcpTakeWhatWasSaid() throws InterruptedException {
        Job job = run("-n", "4", "--procs", "--device", "niodev");
        job.check();
        assertThat((long) job.filesFound())
                .as(job.toString())
                .isGreaterThanOrEqualTo(job.files().least() + 3);
    }

    @Test
    @Tag("slow")
    void blockingSocketsHaveThreadsOfTheirOwn() throws InterruptedException {
        Job job = run("-n", "3", "--procs", "--device", "iodev");
        job.check();
        assertThat((long) job.threadsFound())
                .as(job.toString())
                .isGreaterThanOrEqualTo(job.threads().least() + 4);
    }
}
