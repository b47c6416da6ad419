package org.galerna.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopScreenTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 18, 19, 64, 1000})
    void anyNumberOfRanksFitsTheScreen(int ranks) {
        JobReport job = Reports.job("12ab34cd", ranks, true);
        assertThat(new TopScreen(80, 23).lines(job, job))
                .hasSizeLessThanOrEqualTo(23)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void eachRankSaysWhomItWaitsFor() {
        JobReport job = Reports.job("12ab34cd", 3, true);
        List<String> lines = new TopScreen(80, 23).lines(job, job);
        assertThat(lines.get(0)).startsWith("job 12ab34cd, running, since ").endsWith(": org.example.Main 12");
        assertThat(lines.get(1)).startsWith("3 ranks on shmdev in 3 processes; ");
        assertThat(lines.get(4)).startsWith("0 ").contains(" 1000 ").endsWith("  1, receive, 4.0 s");
        assertThat(lines.get(5)).startsWith("1 ").endsWith("25%");
        assertThat(lines.getLast()).isEqualTo("most awaited: rank 1 (by 2)");
    }

    @Test
    void aLineForSeveralRanksHasTheirSums() {
        JobReport job = Reports.job("12ab34cd", 64, true);
        List<String> lines = new TopScreen(80, 23).lines(job, job);
        assertThat(lines.get(4)).startsWith("0-3 ").contains(" 600 ").endsWith("1 (3 ranks)");
        assertThat(lines).anyMatch(line -> line.startsWith("60-63 "));
        assertThat(lines.getLast()).isEqualTo("most awaited: rank 1 (by 63)");
    }

    @Test
    void ranksBehindRanksThatWaitCountWhereTheChainEnds() {
        List<RankReport> ranks = IntStream.range(0, 12)
                .mapToObj(rank -> Reports.rank(
                        rank, 12, 7, true, 1000, rank == 3 ? List.of() : Reports.waitsFor((rank + 11) % 12, 1, "Recv")))
                .toList();
        assertThat(MostAwaited.line(ranks, rank -> rank.waiting().stream().findFirst()))
                .isEqualTo("most awaited: rank 3 (by 11, 1 directly)");
        List<RankReport> cycle = IntStream.range(0, 3)
                .mapToObj(rank -> Reports.rank(rank, 3, 7, true, 1000, Reports.waitsFor((rank + 1) % 3, 1, "Recv")))
                .toList();
        assertThat(MostAwaited.line(cycle, rank -> rank.waiting().stream().findFirst()))
                .isEmpty();
    }

    @Test
    void durationsOfTablesHaveOneUnit() {
        assertThat(LongStream.of(300, 78_000, 599_999, 600_000, 35_999_000, 36_000_000)
                        .map(millis -> millis * 1_000_000)
                        .mapToObj(Words::duration))
                .containsExactly("0.3 s", "78 s", "599 s", "10 min", "599 min", "10 h");
    }

    @Test
    void ratesAreOfTheTimeBetweenTwoPictures() {
        RankReport before = Reports.rank(0, 1, 7, true, 1000, List.of());
        RankReport now = new RankReport(
                7,
                true,
                0,
                1,
                true,
                "shmdev",
                "job",
                "Main",
                before.startMillis(),
                before.upNanos() + 2_000_000_000L,
                0,
                0,
                before.waits(),
                List.of(),
                Reports.rank(0, 1, 7, true, 3000, List.of()).peers(),
                Map.of());
        List<String> lines =
                new TopScreen(80, 23).lines(new JobReport("a", List.of(before)), new JobReport("a", List.of(now)));
        assertThat(lines.get(1)).endsWith("1.0k msg/s, 100 kB/s");
        assertThat(lines.get(4)).containsPattern("0 +7 +1.0k +100k +0 +300k +0 +0%");
    }

    @Test
    void aKilledRankIsShown() {
        JobReport job = new JobReport(
                "a",
                IntStream.range(0, 2)
                        .mapToObj(rank -> Reports.rank(rank, 2, 10 + rank, rank == 0, 5, List.of()))
                        .toList());
        assertThat(new TopScreen(80, 23).lines(job, job).get(5)).endsWith("(killed)");
        JobReport ended = Reports.job("12ab34cd", 3, false);
        assertThat(new TopScreen(80, 23).lines(ended, ended)).noneMatch(line -> line.contains("awaited"));
    }

    @Test
    void figuresAreShort() {
        assertThat(Words.number(0)).isEqualTo("0");
        assertThat(Words.number(999)).isEqualTo("999");
        assertThat(Words.number(999.7)).isEqualTo("1.0k");
        assertThat(Words.number(12_345)).isEqualTo("12k");
        assertThat(Words.number(0.25)).isEqualTo("0.3");
        assertThat(Words.number(1.05e9)).isEqualTo("1.1G");
        assertThat(ThreadPosition.duration(250_000_000)).isEqualTo("0.2 s");
        assertThat(ThreadPosition.duration(59_900_000_000L)).isEqualTo("59 s");
        assertThat(ThreadPosition.duration(185_000_000_000L)).isEqualTo("3 min 5 s");
        assertThat(ThreadPosition.duration(7_620_000_000_000L)).isEqualTo("2 h 7 min");
    }

    @Test
    void aNodeOfMessagesShowsItsFiguresAndPeers() {
        JobReport before = new JobReport("12ab34cd", List.of(Reports.node(10_000_000_000L, 100)));
        JobReport now = new JobReport("12ab34cd", List.of(Reports.node(12_000_000_000L, 300)));
        List<String> lines = new TopScreen(80, 23).lines(before, now);
        assertThat(lines.get(0)).startsWith("job 12ab34cd, running, since ").endsWith(": org.example.Server");
        assertThat(lines.get(1)).isEqualTo("messaging node 3 in process 7");
        assertThat(lines).anyMatch(line -> line.matches("requestsAnswered +300 +100"));
        assertThat(lines.getLast()).matches("8 +100 +10k +0 +30k +0");
        assertThat(JobState.of(now)).isEqualTo(JobState.RUNNING);
    }
}
