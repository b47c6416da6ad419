package org.galerna.link.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RankCountersTest {
    private final InProcessWireup wireup =
            InProcessWireup.create(2000, (_, _, _) -> {}).getFirst();
    private final RankCounters counters = RankCounters.open(wireup);

    @AfterEach
    void leave() {
        counters.leave();
    }

    private RankReport report() throws IOException {
        return Objects.requireNonNull(JobReport.of(wireup.job())).ranks().getFirst();
    }

    @Test
    void aRankIsKnownBeforeItHasJoined() throws IOException {
        RankReport report = report();
        assertThat(report.job()).isEqualTo(wireup.job());
        assertThat(report.process()).isEqualTo(ProcessHandle.current().pid());
        assertThat(report.isAlive()).isTrue();
        assertThat(report.isRunning()).isFalse();
        counters.joined("smdev");
        assertThat(report().isRunning()).isTrue();
        assertThat(report().device()).isEqualTo("smdev");
    }

    @Test
    void nobodyElseCanEnter() throws IOException {
        Path folder = CountersFolder.ofUser().resolve(CountersFolder.id(wireup.job()));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(CountersFolder.ofUser())))
                .isEqualTo("rwx------");
    }

    @Test
    void whatIsNotGalernasIsPassedOver() throws IOException {
        Path stray = CountersFolder.ofUser().resolve("stray");
        Path folder = CountersFolder.ofUser().resolve("strayfolder");
        try {
            Files.writeString(stray, "no folder");
            Files.createDirectories(folder.resolve("rank-0"));
            Files.write(folder.resolve("rank-1"), new byte[Math.toIntExact(CountersLayout.bytes(1))]);
            Files.createSymbolicLink(folder.resolve("rank-2"), Path.of("/dev/zero"));
            assertThat(JobReport.all()).extracting(JobReport::id).contains(CountersFolder.id(wireup.job()));
            assertThat(JobReport.all()).extracting(JobReport::id).doesNotContain("stray", "strayfolder");
        } finally {
            Files.delete(stray);
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    @Test
    void aPeerThatNobodyTalksToTakesNoRoom() throws IOException {
        Path file =
                CountersFolder.ofUser().resolve(CountersFolder.id(wireup.job())).resolve("rank-0");
        for (int peer = 0; peer < 2000; peer++) {
            assertThat(counters.of(peer).moves()).isZero();
        }
        assertThat(Files.size(file)).isEqualTo(4096);
        assertThat(report().peers()).isEmpty();
    }

    @Test
    void morePeersThanThereAreRowsAreCountedTogether() throws IOException {
        for (int peer = 0; peer < 2000; peer++) {
            PeerCounters of = counters.of(peer);
            of.sent(0, 3);
            of.announced(1, 100);
            of.received(2, 2, 10);
            of.unexpected();
            assertThat(of.moves()).isPositive();
        }
        RankReport report = report();
        assertThat(report.peers()).hasSize(CountersLayout.MOST_ROWS + 1);
        assertThat(report.peers().getLast().peer()).isEqualTo(RankReport.OTHERS);
        assertThat(report.peers().getLast().sent().messages().getFirst()).isEqualTo(2000 - CountersLayout.MOST_ROWS);
        assertThat(report.sentMessages()).isEqualTo(4000);
        assertThat(report.sentBytes()).isEqualTo(2000 * 103);
        assertThat(report.receivedMessages()).isEqualTo(4000);
        assertThat(report.receivedBytes()).isEqualTo(20_000);
        Path file =
                CountersFolder.ofUser().resolve(CountersFolder.id(wireup.job())).resolve("rank-0");
        assertThat(Files.size(file)).isEqualTo(CountersLayout.bytes(CountersLayout.MOST_ROWS));
    }

    @Test
    void sumsAreRightHoweverLargeTheyBecome() throws IOException {
        PeerCounters of = counters.of(3);
        long messages = 0;
        long bytes = 0;
        for (int round = 0; round < 1000; round++) {
            of.received(1, 60_000_000, 1L << round % 40);
            of.sent(2, 1L << round % 40);
            messages += 60_000_000;
            bytes += 1L << round % 40;
        }
        RankReport.Peer peer = report().peers().getFirst();
        assertThat(peer.received().messages()).containsExactly(0L, messages, 0L, 0L);
        assertThat(peer.received().bytes()).containsExactly(0L, bytes, 0L, 0L);
        assertThat(peer.sent().messages()).containsExactly(0L, 0L, 1000L, 0L);
        assertThat(peer.sent().bytes()).containsExactly(0L, 0L, bytes, 0L);
        assertThat(of.moves()).isEqualTo(messages + 1000);
    }

    @Test
    void callsThatWaitAreShownAsLongAsTheyDo() throws IOException {
        int entry = counters.enter(WaitKind.RECEIVE, 7, System.nanoTime());
        assertThat(report().waiting())
                .extracting(RankReport.Waiting::kind, RankReport.Waiting::peer, RankReport.Waiting::text)
                .containsExactly(tuple(WaitKind.RECEIVE, 7, ""));
        counters.describe(entry, WaitKind.RECEIVE, 7, System.nanoTime(), "ä".repeat(200));
        assertThat(report().waiting().getFirst().text()).startsWith("ää").hasSizeGreaterThan(20);
        counters.leave(entry);
        counters.waited(WaitKind.RECEIVE, 1_000_000);
        assertThat(report().waiting()).isEmpty();
        assertThat(report().waitedNanos()).isEqualTo(1_000_000);
    }

    @Test
    void moreCallsThanThereAreEntriesWaitWithoutOne() throws IOException {
        for (int call = 0; call < 10; call++) {
            int entry = counters.enter(WaitKind.PROBE, call, System.nanoTime());
            counters.describe(entry, WaitKind.PROBE, call, System.nanoTime(), "probe");
        }
        assertThat(report().waiting()).hasSize(CountersLayout.NUMBER_OF_ENTRIES);
    }

    @Test
    void aRankThatLeavesLeavesNothing() throws IOException {
        counters.leave();
        assertThat(JobReport.of(wireup.job())).isNull();
        assertThat(CountersFolder.ofUser().resolve(CountersFolder.id(wireup.job())))
                .doesNotExist();
        counters.of(1).sent(0, 1); // late
    }

    @Test
    void figuresHaveNamesAndTakeNoRowOfAPeer() throws IOException {
        counters.of(7).sent(0, 100);
        Runnable counter = counters.counter("rareThings");
        assertThat(report().figures()).isEmpty();
        counter.run();
        counter.run();
        RankCounters.count(wireup.job(), 0, "otherThings");
        RankCounters.count("no job", 0, "otherThings");
        assertThat(report().figures()).containsExactly(Map.entry("rareThings", 2L), Map.entry("otherThings", 1L));
        assertThat(report().peers()).extracting(RankReport.Peer::peer).containsExactly(7);
    }

    @Test
    void aServiceShowsWhatItHasCounted() throws IOException {
        try (ServiceCounters shown = ServiceCounters.show(
                "testing",
                3,
                () -> new ServiceCounters.Counted(
                        Map.of("things", 12L), List.of(new ServiceCounters.Peer(4, 1, 10, 2, 20))))) {
            assertThat(shown).isNotNull();
            JobReport job = services().getFirst();
            assertThat(job.isService()).isTrue();
            RankReport report = job.ranks().getFirst();
            assertThat(report.rank()).isEqualTo(3);
            assertThat(report.figures()).containsExactly(Map.entry("things", 12L));
            assertThat(report.sentBytes()).isEqualTo(10);
            assertThat(report.receivedMessages()).isEqualTo(2);
        }
        assertThat(services()).isEmpty();
    }

    private static List<JobReport> services() throws IOException {
        return JobReport.all().stream()
                .filter(job -> job.ranks().getFirst().device().equals("testing"))
                .toList();
    }
}
