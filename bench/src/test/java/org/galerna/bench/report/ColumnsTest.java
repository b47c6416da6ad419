package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Words in columns. */
class ColumnsTest {
    @Test
    void columnsAreAsWideAsTheirLongestWord() {
        assertThat(Columns.layOut(
                        List.of(
                                List.of("bytes", "system", "median", ""),
                                List.of("8", "galerna", "0.12", ""),
                                List.of("", "mpi", "10", "")),
                        1,
                        "   "))
                .isEqualTo("""
                          bytes   system    median
                              8   galerna     0.12
                                  mpi           10
                        """);
    }

    @Test
    void noRowsAreNoLines() {
        assertThat(Columns.layOut(List.of(), 0, "  ")).isEmpty();
    }
}
