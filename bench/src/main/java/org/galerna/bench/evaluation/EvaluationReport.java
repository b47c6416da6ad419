package org.galerna.bench.evaluation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.bench.report.JsonFile;
import org.galerna.bench.report.Machine;

/**
 * What is kept of an evaluation.
 *
 * @param time when it began
 * @param command what was typed
 * @param machine that it ran on
 * @param versions of the systems
 * @param headlines the ratios of the papers
 * @param speeds of the programs
 * @param notes what could not be measured
 */
public record EvaluationReport(
        Instant time,
        String command,
        Machine machine,
        Map<String, String> versions,
        List<Headline> headlines,
        List<Speed> speeds,
        List<String> notes) {
    /** Copies the collections. */
    public EvaluationReport {
        versions = Map.copyOf(versions);
        headlines = List.copyOf(headlines);
        speeds = List.copyOf(speeds);
        notes = List.copyOf(notes);
    }

    /** The versions, in the order of their names. */
    @Override
    public Map<String, String> versions() {
        return new TreeMap<>(versions);
    }

    /**
     * Puts together what was measured part by part on one machine.
     *
     * @param reports at least one
     * @throws IllegalArgumentException if they are from several machines
     */
    public static EvaluationReport together(List<EvaluationReport> reports) {
        EvaluationReport first = reports.getFirst();
        Map<String, String> versions = new TreeMap<>();
        for (EvaluationReport report : reports) {
            if (!report.machine.processor().equals(first.machine.processor())
                    || report.machine.cores() != first.machine.cores()) {
                throw new IllegalArgumentException("the reports are from several machines: " + first.machine.processor()
                        + " and " + report.machine.processor());
            }
            versions.putAll(report.versions);
        }
        return new EvaluationReport(
                first.time,
                reports.stream().map(EvaluationReport::command).collect(Collectors.joining("; ")),
                first.machine,
                versions,
                reports.stream().flatMap(report -> report.headlines.stream()).toList(),
                reports.stream().flatMap(report -> report.speeds.stream()).toList(),
                reports.stream()
                        .flatMap(report -> report.notes.stream())
                        .distinct()
                        .toList());
    }

    /**
     * Writes it as JSON.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeJson(Path file) throws IOException {
        JsonFile.write(this, file);
    }

    /**
     * Reads what {@link #writeJson} wrote.
     *
     * @throws IOException if the file cannot be read, or holds something else
     */
    public static EvaluationReport read(Path file) throws IOException {
        return JsonFile.read(file, EvaluationReport.class, "a report of galerna bench evaluation");
    }

    /**
     * Writes it as a page with charts, which loads nothing else.
     *
     * @throws IOException if the file cannot be written
     */
    public void writePage(Path file) throws IOException {
        Files.writeString(file, EvaluationPage.of(this));
    }
}
