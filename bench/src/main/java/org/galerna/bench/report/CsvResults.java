package org.galerna.bench.report;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Results as CSV, for spreadsheets and plots: a header, then a line for each; values in the unit of their line. Rounds are left
 * out. A row that is compared with an older build has its ratio, the interval of that, and "ahead", "unclear" or "behind".
 */
public final class CsvResults {
    private static final List<Double> PERCENTS = List.of(50.0, 95.0, 99.0, 99.9, 100.0);
    private static final List<String> COLUMNS = List.of(
            "system",
            "level",
            "benchmark",
            "ranks",
            "bytes",
            "window",
            "unit",
            "best",
            "median",
            "lower",
            "upper",
            "repetitions",
            "p50",
            "p95",
            "p99",
            "p99.9",
            "p100",
            "ratio",
            "ratio lower",
            "ratio upper",
            "standing");
    private static final int FIRST_PERCENT = COLUMNS.indexOf("p50");

    private CsvResults() {}

    /** Writes results, replacing the file. Percentiles other than those of the columns are left out. */
    public static void write(List<Result> results, Path file) throws IOException {
        try (CsvWriter csv = CsvWriter.builder().build(file)) {
            csv.writeRecord(COLUMNS);
            results.forEach(result -> csv.writeRecord(line(result)));
        }
    }

    private static List<String> line(Result result) {
        List<String> line = new ArrayList<>(List.of(
                result.system(),
                result.level(),
                result.benchmark(),
                Integer.toString(result.ranks()),
                Long.toString(result.bytes()),
                Integer.toString(result.window()),
                result.unit().name(),
                Double.toString(result.best()),
                Double.toString(result.median()),
                Double.toString(result.lowerBound()),
                Double.toString(result.upperBound()),
                Integer.toString(result.repetitions())));
        for (double percent : PERCENTS) {
            Double value = result.percentiles().get(percent);
            line.add(value == null ? "" : value.toString());
        }
        Ratio ratio = result.baseline();
        line.add(ratio == null ? "" : Double.toString(ratio.median()));
        line.add(ratio == null ? "" : Double.toString(ratio.lowerBound()));
        line.add(ratio == null ? "" : Double.toString(ratio.upperBound()));
        line.add(result.standing().map(Standing::word).orElse(""));
        return line;
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IOException if the file cannot be read, or holds something else; the message names file and line
     */
    public static List<Result> read(Path file) throws IOException {
        List<Result> results = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord line : csv) {
                results.add(result(line));
            }
        } catch (CsvParseException | IllegalArgumentException | NoSuchElementException malformed) {
            throw new IOException(
                    file + " holds no results of a benchmark after " + results.size() + " of them: "
                            + malformed.getMessage(),
                    malformed);
        }
        return results;
    }

    private static Result result(NamedCsvRecord line) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        for (int each = 0; each < PERCENTS.size(); each++) {
            String value = line.getField(COLUMNS.get(FIRST_PERCENT + each));
            if (!value.isEmpty()) {
                percentiles.put(PERCENTS.get(each), Double.valueOf(value));
            }
        }
        Result result = new Result(
                line.getField("system"),
                line.getField("level"),
                line.getField("benchmark"),
                Integer.parseInt(line.getField("ranks")),
                Long.parseLong(line.getField("bytes")),
                Integer.parseInt(line.getField("window")),
                Unit.valueOf(line.getField("unit")),
                Double.parseDouble(line.getField("best")),
                Double.parseDouble(line.getField("median")),
                Double.parseDouble(line.getField("lower")),
                Double.parseDouble(line.getField("upper")),
                Integer.parseInt(line.getField("repetitions")),
                percentiles,
                List.of());
        return ratio(line).map(result::comparedWith).orElse(result);
    }

    /** Files of earlier versions have none. */
    private static Optional<Ratio> ratio(NamedCsvRecord line) {
        return line.findField("ratio")
                .filter(median -> !median.isEmpty())
                .map(median -> new Ratio(
                        Double.parseDouble(median),
                        Double.parseDouble(line.getField("ratio lower")),
                        Double.parseDouble(line.getField("ratio upper"))));
    }
}
