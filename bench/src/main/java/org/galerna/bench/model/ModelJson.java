package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.JsonFile;
import org.jspecify.annotations.Nullable;

/** What a model says, as JSON. */
public final class ModelJson {
    private ModelJson() {}

    private record Document(List<String> machine, List<Entry> rows) {}

    private record Entry(
            String operation,
            long size,
            int ranks,
            String algorithm,
            double microseconds,
            boolean simulated,
            @Nullable Long messages,
            @Nullable Long bytes,
            @Nullable Long messagesBetweenHosts,
            @Nullable Long bytesBetweenHosts) {
        static Entry of(Row row) {
            Simulation.@Nullable Outcome outcome = row.outcome().orElse(null);
            return new Entry(
                    row.operation().label(),
                    row.bytes(),
                    row.ranks(),
                    row.algorithm(),
                    row.seconds() * 1e6,
                    outcome != null,
                    outcome == null ? null : outcome.messages(),
                    outcome == null ? null : outcome.bytes(),
                    outcome == null ? null : outcome.messagesBetweenHosts(),
                    outcome == null ? null : outcome.bytesBetweenHosts());
        }
    }

    /**
     * Writes the rows, with the parameters of the machine.
     *
     * @throws IOException if the file cannot be written
     */
    public static void write(Machine machine, List<Row> rows, Path file) throws IOException {
        Document document = new Document(
                machine.lines().stream().filter(line -> !line.isEmpty()).toList(),
                rows.stream().map(Entry::of).toList());
        JsonFile.write(document, file);
    }
}
