package org.galerna.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.bench.evaluation.EvaluationReport;
import org.galerna.bench.evaluation.Speed;

/** The tables of a page that come from a report: between a comment that says which, and another one that ends it. */
final class PageTables {
    private static final Pattern TABLE = Pattern.compile(
            "<!-- table: (?<report>\\S+) (?<what>\\S+) (?<ranks>\\d+) -->\n.*?<!-- end -->", Pattern.DOTALL);

    /** In this order, as far as they were measured; other levels of Galerna are for those who work on it. */
    private static final List<String> SYSTEMS = List.of(
            "galerna mpi",
            "galerna messaging shm",
            "galerna messaging shm, 4 senders",
            "galerna messaging tcp",
            "galerna messaging tcp, 4 senders",
            "galerna mpi shmdev",
            "galerna mpi niodev",
            "galerna mpi ucxdev",
            "galerna mpi ofidev",
            "aeron",
            "aeron-udp",
            "netty",
            "rmi",
            "grpc",
            "mpich",
            "mpich-ofi",
            "openmpi",
            "openmpi-nocma",
            "openmpi-ofi",
            "openmpi-ucx",
            "openmpi-java",
            "mpjexpress",
            "unix",
            "sockets",
            "array copy",
            "cache line");

    private static final List<Long> SIZES_OF_COLLECTIVES = List.of(8L, 1024L, 65536L, 1048576L);

    private PageTables() {}

    /** The page with all its tables made anew. */
    static String update(String page, Path docs) {
        return TABLE.matcher(page)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group().lines().findFirst().orElseThrow()
                                + "\n"
                                + table(
                                        docs.resolve(found.group("report")),
                                        found.group("what"),
                                        Integer.parseInt(found.group("ranks")))
                                + "<!-- end -->"));
    }

    /** Number of tables in a page. */
    static long count(String page) {
        return TABLE.matcher(page).results().count();
    }

    private static Report read(Path report) {
        try {
            return JsonReports.read(report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EvaluationReport readEvaluation(Path report) {
        try {
            return EvaluationReport.read(report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String table(Path report, String what, int ranks) {
        return switch (what) {
            case "collectives" -> collectives(read(report), ranks);
            case "sockets" -> sockets(read(report));
            case "speeds" -> speeds(readEvaluation(report), ranks);
            case "smdev", "ibvdev", "rdma", "fast-sockets", "dxnet" -> headlines(readEvaluation(report), what);
            default -> bySize(read(report), what, ranks);
        };
    }

    private static String headlines(EvaluationReport report, String paper) {
        return markdown(
                List.of("ratio", "paper", "here", "", "measured"),
                report.headlines().stream()
                        .filter(headline -> headline.paper().word().equals(paper))
                        .map(headline -> List.of(
                                headline.claim(),
                                headline.publishedText(),
                                headline.measuredText(),
                                headline.verdict(),
                                headline.how()))
                        .toList());
    }

    /** Speeds on one and on so many cores, and the speed-up. */
    private static String speeds(EvaluationReport report, int cores) {
        List<List<String>> rows = new ArrayList<>();
        for (Speed speed : report.speeds()) {
            Optional<Speed> one = other(report, speed, 1);
            Optional<Speed> many = other(report, speed, cores);
            if (speed.equals(one.or(() -> many).orElse(null))) {
                rows.add(List.of(
                        speed.program() + ", " + speed.unit(),
                        speed.system(),
                        one.map(Speed::value).map(PageTables::number).orElse(""),
                        many.map(Speed::value).map(PageTables::number).orElse(""),
                        one.flatMap(first -> many.map(
                                        second -> String.format(Locale.ROOT, "%.2f", second.value() / first.value())))
                                .orElse("")));
            }
        }
        return markdown(List.of("program", "system", "1 core", cores + " cores", "speed-up"), rows);
    }

    private static Optional<Speed> other(EvaluationReport report, Speed speed, int cores) {
        return report.speeds().stream()
                .filter(each -> each.program().equals(speed.program())
                        && each.system().equals(speed.system())
                        && each.cores() == cores)
                .findFirst();
    }

    private static String bySize(Report report, String benchmark, int ranks) {
        List<Result> results = report.results().stream()
                .filter(result -> result.benchmark().equals(benchmark) && result.ranks() == ranks)
                .toList();
        List<Long> sizes =
                results.stream().map(Result::bytes).distinct().sorted().toList();
        List<List<String>> rows = SYSTEMS.stream()
                .filter(system ->
                        results.stream().anyMatch(result -> result.name().equals(system)))
                .map(system -> row(
                        SystemName.of(system),
                        sizes.stream()
                                .map(size -> results.stream()
                                        .filter(result -> result.name().equals(system) && result.bytes() == size)
                                        .findFirst())))
                .toList();
        return markdown(head("", sizes.stream().map(PageTables::size)), rows);
    }

    private static String collectives(Report report, int ranks) {
        List<Result> results = report.results().stream()
                .filter(result -> result.ranks() == ranks)
                .toList();
        List<List<String>> rows = new ArrayList<>();
        for (String operation : List.of("barrier", "bcast", "reduce", "allreduce", "gather", "allgather", "alltoall")) {
            for (String system : SYSTEMS) {
                List<Result> own = results.stream()
                        .filter(result -> result.benchmark().equals(operation)
                                && result.name().equals(system))
                        .toList();
                if (!own.isEmpty()) {
                    rows.add(row(
                            operation + ", " + SystemName.of(system),
                            SIZES_OF_COLLECTIVES.stream()
                                    .map(size -> own.stream()
                                            .filter(result -> result.bytes() == size
                                                    || (result.bytes() == 0
                                                            && size.equals(SIZES_OF_COLLECTIVES.getFirst())))
                                            .findFirst())));
                }
            }
        }
        return markdown(head("", SIZES_OF_COLLECTIVES.stream().map(PageTables::size)), rows);
    }

    private static String sockets(Report report) {
        List<Result> results = report.results().stream()
                .filter(result -> result.unit() == Unit.MICROSECONDS)
                .toList();
        List<List<String>> rows = new ArrayList<>();
        for (Result plain : results) {
            if (plain.name().equals("jdk")) {
                results.stream()
                        .filter(fast -> fast.name().equals("galerna")
                                && fast.benchmark().equals(plain.benchmark())
                                && fast.bytes() == plain.bytes())
                        .findFirst()
                        .ifPresent(fast -> rows.add(List.of(
                                plain.benchmark(),
                                size(plain.bytes()),
                                number(plain.median()),
                                number(fast.median()))));
            }
        }
        return markdown(List.of("what", "bytes", "the JDK's sockets", "fast sockets"), rows);
    }

    private static List<String> head(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }

    private static List<String> row(String name, Stream<Optional<Result>> results) {
        return head(
                name.startsWith("Galerna") ? "**" + name + "**" : name,
                results.map(result ->
                        result.map(Result::median).map(PageTables::number).orElse("")));
    }

    private static String markdown(List<String> head, List<List<String>> rows) {
        StringBuilder text = new StringBuilder(line(head))
                .append("|")
                .append(" --- |".repeat(head.size()))
                .append('\n');
        rows.forEach(row -> text.append(line(row)));
        return text.toString();
    }

    private static String line(List<String> cells) {
        return "|"
                + String.join(
                        "|",
                        cells.stream()
                                .map(cell -> cell.isEmpty() ? " " : " " + cell + " ")
                                .toList()) + "|\n";
    }

    private static String size(long bytes) {
        return Html.size(bytes);
    }

    /** With three digits that count below ten, and no more decimals above. */
    private static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value).replace(',', ' ');
    }
}
