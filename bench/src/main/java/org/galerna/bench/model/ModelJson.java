package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.JsonFile;
import org.galerna.collectives.algorithm.Operation;
import org.jspecify.annotations.Nullable;

/** What a model says, as JSON. */
public final class ModelJson {
    private final Document document;

    private ModelJson(Document document) {
        this.document = document;
    }

    private record Document(List<String> machine, List<Entry> rows) {
        private static final String NAME = "name = ";

        Document {
            machine = List.copyOf(machine);
            rows = List.copyOf(rows);
        }

        String machineName() {
            return machine.stream()
                    .filter(line -> line.startsWith(NAME))
                    .map(line -> line.substring(NAME.length()))
                    .findFirst()
                    .orElse("a machine");
        }

        /** The rows of each operation and size, in the order of the file. */
        List<List<Row>> tables() {
            Map<String, List<Row>> tables = new LinkedHashMap<>();
            for (Entry entry : rows) {
                tables.computeIfAbsent(entry.operation + " " + entry.size, _ -> new ArrayList<>())
                        .add(entry.row());
            }
            return List.copyOf(tables.values());
        }
    }

    private record Entry(
            String operation,
            long size,
            int ranks,
            String algorithm,
            String standard,
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
                    row.standard(),
                    row.seconds() * 1e6,
                    outcome != null,
                    outcome == null ? null : outcome.messages(),
                    outcome == null ? null : outcome.bytes(),
                    outcome == null ? null : outcome.messagesBetweenHosts(),
                    outcome == null ? null : outcome.bytesBetweenHosts());
        }

        Row row() {
            return new Row(
                    Operation.labelled(operation), algorithm, ranks, size, standard, microseconds / 1e6, outcome());
        }

        private Optional<Simulation.Outcome> outcome() {
            if (messages == null || bytes == null || messagesBetweenHosts == null || bytesBetweenHosts == null) {
                return Optional.empty();
            }
            return Optional.of(new Simulation.Outcome(
                    microseconds / 1e6, messages, bytes, messagesBetweenHosts, bytesBetweenHosts));
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

    /**
     * What {@link #write} wrote.
     *
     * @throws IOException if the file cannot be read, or holds something else
     */
    public static ModelJson read(Path file) throws IOException {
        return new ModelJson(JsonFile.read(file, Document.class, "a report of a simulation"));
    }

    /**
     * Draws this as {@link ModelPictures} does.
     *
     * @return how the times grow, a line for each picture
     * @throws IOException if a picture cannot be written
     */
    public String draw(Path folder) throws IOException {
        return ModelPictures.write(document.machineName(), document.tables(), folder);
    }
}
