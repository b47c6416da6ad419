package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CollectiveOptionsTest {
    private static CollectiveOptions options(String... keysAndValues) {
        Properties properties = new Properties();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        return CollectiveOptions.from(properties);
    }

    @Test
    void forcesAlgorithmsByProperty() {
        CollectiveOptions options =
                options("galerna.coll.bcast", "chain", "galerna.coll.reduceScatter", "pairwise", "user.name", "x");
        assertThat(options.forced())
                .containsEntry(Operation.BCAST, "chain")
                .containsEntry(Operation.REDUCE_SCATTER, "pairwise")
                .hasSize(2);
    }

    @Test
    @Fault(8)
    void rejectsUnknownAlgorithmsWithTheList() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("galerna.coll.bcast", "fastest"))
                .withMessage("no algorithm named \"fastest\" for bcast; there are linear, binomial, chain,"
                        + " scatterAllgather, twoLevel, slots, direct");
    }

    @Test
    @Fault(8)
    void rejectsUnknownOperationsWithTheList() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("galerna.coll.broadcast", "binomial"))
                .withMessageStartingWith("no collective operation named \"broadcast\"; there are barrier, bcast, ");
    }

    @Test
    void readsTheTableThatAPropertyNames(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("my.table");
        Files.writeString(file, "bcast * <3 <1K linear\nbcast * * * chain # always\n");
        CollectiveOptions options = options("galerna.coll.table", file.toString());
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, options);
                assertThat(collectives.algorithm(Operation.BCAST, 1023, true)).isEqualTo("linear");
                assertThat(collectives.algorithm(Operation.BCAST, 1024, true)).isEqualTo("chain");
                // what the file leaves out is as in the standard table
                assertThat(collectives.algorithm(Operation.BARRIER, 0, true)).isEqualTo("flags");
            });
        }
    }

    @Test
    @Fault(8)
    void saysWhichTableCannotBeRead(@TempDir Path folder) {
        Path missing = folder.resolve("missing.table");
        assertThatThrownBy(() -> options("galerna.coll.table", missing.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no file " + missing);
        assertThatThrownBy(() -> options("galerna.coll.table", folder.toString()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(folder.toString());
    }

    @Test
    void forcedAlgorithmsGiveWayWhereTheyCannotServe() {
        CollectiveOptions options = CollectiveOptions.standard()
                .force(Operation.ALLGATHER, "recursiveDoubling")
                .force(Operation.ALLREDUCE, "ring");
        try (Ranks ranks = Ranks.of(3)) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, options);
                assertThat(collectives.algorithm(Operation.ALLGATHER, 8, true)).isEqualTo("slots");
                assertThat(collectives.algorithm(Operation.ALLREDUCE, 8, true)).isEqualTo("ring");
                assertThat(collectives.algorithm(Operation.ALLREDUCE, 8, false)).isEqualTo("slots");
            });
        }
    }
}
