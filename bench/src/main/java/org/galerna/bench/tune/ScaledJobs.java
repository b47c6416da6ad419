package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.galerna.bench.report.Growth;
import org.galerna.bench.report.JsonFile;
import org.galerna.bench.report.LogChart;
import org.galerna.bench.report.LogChart.Axis;
import org.galerna.bench.report.LogChart.Point;
import org.galerna.bench.report.Machine;

/**
 * What jobs of more and more ranks have taken.
 *
 * @param time when the first one began
 * @param command what was typed
 * @param machine that they ran on
 * @param jobs in the order of their ranks; at least one
 */
public record ScaledJobs(Instant time, String command, Machine machine, List<ScaledJob> jobs) {
    /** Copies. */
    public ScaledJobs {
        jobs = List.copyOf(jobs);
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("a report of no job");
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the file cannot be read, or holds something else
     */
    public static ScaledJobs read(Path file) throws IOException {
        return JsonFile.read(file, ScaledJobs.class, "a report of jobs of many ranks");
    }

    /**
     * Writes it as JSON.
     *
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        JsonFile.write(this, file);
    }

    /**
     * Writes {@code start.svg}, {@code memory.svg} and {@code collectives.svg}.
     *
     * @return how each line of them grows
     * @throws IOException if a file cannot be written
     */
    public String draw(Path folder) throws IOException {
        Map<String, List<Point>> start = Map.of("wire-up", line("wire-up", "ms", job -> job.wireUpSeconds() * 1000));
        Map<String, List<Point>> memory = new LinkedHashMap<>();
        memory.put("resident after wire-up", line("resident after wire-up", "KiB", ScaledJob::residentKib));
        memory.put("resident at the end", line("resident at the end", "KiB", ScaledJob::residentAfterKib));
        memory.put("objects in use", line("objects in use", "KiB", ScaledJob::heapKib));
        return picture(folder, "start", "Time until all ranks have met", "ms", start)
                + picture(folder, "memory", "Memory for each rank", "KiB", memory)
                + picture(folder, "collectives", "Collectives", "µs", collectives());
    }

    private Map<String, List<Point>> collectives() {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (ScaledJob.Call any : jobs.getFirst().calls()) {
            lines.put(
                    any.operation(),
                    line(
                            any.operation(),
                            "µs",
                            job -> job.calls().stream()
                                    .filter(call -> call.operation().equals(any.operation()))
                                    .mapToDouble(ScaledJob.Call::microseconds)
                                    .findFirst()
                                    .orElse(0)));
        }
        return lines;
    }

    private List<Point> line(String name, String unit, ToDoubleFunction<ScaledJob> value) {
        return jobs.stream()
                .filter(job -> value.applyAsDouble(job) > 0)
                .map(job -> new Point(
                        job.ranks(),
                        value.applyAsDouble(job),
                        String.format(
                                Locale.ROOT,
                                "%s on %d ranks: %.4g %s",
                                name,
                                job.ranks(),
                                value.applyAsDouble(job),
                                unit),
                        true))
                .toList();
    }

    private static String picture(Path folder, String name, String title, String unit, Map<String, List<Point>> lines)
            throws IOException {
        Map<String, List<Point>> drawn = new LinkedHashMap<>(lines);
        drawn.values().removeIf(List::isEmpty);
        if (drawn.isEmpty()) {
            return "";
        }
        Files.writeString(
                folder.resolve(name + ".svg"),
                LogChart.picture(title, new Axis("ranks", 2), new Axis(unit, 10), drawn));
        return Growth.of(name + ".svg", drawn);
    }
}
