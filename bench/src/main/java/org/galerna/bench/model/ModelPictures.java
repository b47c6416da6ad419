package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.Growth;
import org.galerna.bench.report.LogChart;
import org.galerna.bench.report.LogChart.Axis;
import org.galerna.bench.report.LogChart.Point;

/** What a model says of the best algorithm of each collective, as a picture for each size. */
public final class ModelPictures {
    private ModelPictures() {}

    /**
     * Writes {@code simulated-SIZE.svg} for each size.
     *
     * @param machine name of the machine
     * @param tables the rows of each operation and size, the ranks in order
     * @return how the times grow, a line for each picture
     * @throws IOException if a file cannot be written
     */
    public static String write(String machine, List<List<Row>> tables, Path folder) throws IOException {
        Map<Long, Map<String, List<Point>>> bySize = new TreeMap<>();
        for (List<Row> rows : tables) {
            Row any = rows.getFirst();
            bySize.computeIfAbsent(any.bytes(), size -> new LinkedHashMap<>())
                    .put(
                            any.operation().label(),
                            rows.stream()
                                    .map(Row::ranks)
                                    .distinct()
                                    .map(ranks -> ModelText.point(ModelText.best(rows, ranks)))
                                    .toList());
        }
        // what has no size belongs to the smallest one
        Map<String, List<Point>> sizeless = bySize.size() > 1 ? bySize.remove(0L) : null;
        StringBuilder growth = new StringBuilder();
        for (Map.Entry<Long, Map<String, List<Point>>> size : bySize.entrySet()) {
            Map<String, List<Point>> lines = new LinkedHashMap<>();
            if (sizeless != null) {
                lines.putAll(sizeless);
                sizeless = null;
            }
            lines.putAll(size.getValue());
            String name = "simulated-" + size.getKey() + ".svg";
            Files.writeString(
                    folder.resolve(name),
                    LogChart.picture(
                            "Collectives on " + machine + ", simulated: " + size.getKey() + " bytes",
                            new Axis("ranks", 2),
                            new Axis("µs", 10),
                            lines));
            growth.append(Growth.of(name, lines));
        }
        return growth.toString();
    }
}
