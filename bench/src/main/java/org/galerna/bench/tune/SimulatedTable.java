package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.bench.model.Study.Row;

/** A table of decisions from a model of a machine. */
public final class SimulatedTable {
    /** For any device: the machine of the model says how far ranks are from each other. */
    private static final String ANY_DEVICE = "*";

    private SimulatedTable() {}

    /**
     * Writes a table in which an algorithm replaces that of the standard table where it is clearly faster.
     *
     * @param machine name of the machine that was simulated
     * @param tables the rows of each operation and size, for all numbers of ranks
     * @throws IOException if the file cannot be written
     */
    public static void write(String machine, List<List<Row>> tables, Path file) throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (List<Row> rows : tables) {
            rows.stream().map(Row::ranks).distinct().forEach(ranks -> findings.add(finding(ranks, rows)));
        }
        Files.write(file, new TunedTable(ANY_DEVICE, "simulated for " + machine + " by galerna model").lines(findings));
    }

    private static Finding finding(int ranks, List<Row> rows) {
        List<Row> of = rows.stream().filter(row -> row.ranks() == ranks).toList();
        Row any = of.getFirst();
        return new Finding(
                any.operation(),
                ranks,
                any.bytes(),
                any.standard(),
                of.stream()
                        .map(row -> new Candidate(row.algorithm(), new double[] {row.seconds()}))
                        .toList());
    }
}
