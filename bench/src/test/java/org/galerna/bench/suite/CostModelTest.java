package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.galerna.bench.report.Result;
import org.junit.jupiter.api.Test;

final class CostModelTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private static Result result(Benchmark benchmark, int ranks, long bytes, double median) {
        return new Result(
                "galerna",
                "mpi",
                benchmark.word(),
                ranks,
                bytes,
                0,
                benchmark.unit(),
                median / 2,
                median,
                median,
                median,
                3,
                new TreeMap<>(),
                List.of());
    }

    @Test
    void stepsGrowWithRoundsAndWithTheRanksOfACore() {
        List<Result> earlier = List.of(result(Benchmark.BARRIER, 4, 0, 3));
        Result model = CostModel.beside(Benchmark.BARRIER, result(Benchmark.BARRIER, 64, 0, 1), earlier)
                .orElseThrow();
        assertThat(model.median()).isEqualTo(3 * 16 * 3, EXACT); // 16 times the ranks, log 64 is three times log 4
        assertThat(model.best()).isEqualTo(1.5 * 16 * 3, EXACT);
        assertThat(model.name()).isEqualTo(CostModel.NAME);
        assertThat(model.ranks()).isEqualTo(64);
    }

    @Test
    void bytesAreThoseOfAllRanks() {
        List<Result> vectors = List.of(result(Benchmark.ALLREDUCE, 4, 1024, 12), result(Benchmark.ALLREDUCE, 4, 8, 2));
        assertThat(CostModel.beside(Benchmark.ALLREDUCE, result(Benchmark.ALLREDUCE, 16, 1024, 1), vectors)
                        .orElseThrow()
                        .median())
                .isEqualTo(2 * 4 * 2 + 10 * 15 / 3.0, EXACT);
        List<Result> blocks = List.of(result(Benchmark.ALLTOALL, 4, 8, 2), result(Benchmark.ALLTOALL, 4, 1024, 12));
        assertThat(CostModel.beside(Benchmark.ALLTOALL, result(Benchmark.ALLTOALL, 16, 1024, 1), blocks)
                        .orElseThrow()
                        .median())
                .isEqualTo(2 * 4 * 2 + 10 * 16 * 15 / 12.0, EXACT);
    }

    @Test
    void nothingIsSaidOfWhatHasNoModel() {
        Result sixteen = result(Benchmark.BARRIER, 16, 0, 1);
        assertThat(CostModel.beside(Benchmark.BARRIER, sixteen, List.of())).isEmpty();
        assertThat(CostModel.beside(Benchmark.BARRIER, sixteen, List.of(result(Benchmark.BCAST, 4, 0, 3))))
                .isEmpty();
        assertThat(CostModel.beside(
                        Benchmark.LATENCY,
                        result(Benchmark.LATENCY, 16, 1, 1),
                        List.of(result(Benchmark.LATENCY, 4, 1, 3))))
                .isEmpty();
        Result two = result(Benchmark.BARRIER, 2, 0, 1);
        assertThat(CostModel.beside(Benchmark.BARRIER, two, List.of(result(Benchmark.BARRIER, 4, 0, 3))))
                .isEmpty();
    }
}
