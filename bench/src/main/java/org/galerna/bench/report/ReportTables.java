package org.galerna.bench.report;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The tables of an {@link HtmlReport}. One of a benchmark has a row for each size and system and a group of columns for
 * each run; its cells carry the values that the script draws the chart from.
 */
final class ReportTables {
    /** The system that the others are compared with. */
    private static final String OWN = "galerna";

    /** An older build of it. */
    private static final String BASELINE = "baseline";

    /** What one or two cores can do at all, or should: nobody is ahead of them or behind. */
    private static final Set<String> LIMITS = Set.of("cache line", "array copy", "cost model");

    private final List<Report> reports;
    private final Map<ResultGroup, Group> groups = new LinkedHashMap<>();

    /** Galerna's levels as they were measured, the others by name, and the limits. */
    private final List<String> systems;

    /** Results of one chart: by size, by name of the system, and by number of the run. */
    private record Group(Map<Long, Map<String, Map<Integer, Result>>> sizes) {
        Group() {
            this(new TreeMap<>());
        }

        void add(int run, Result result) {
            sizes.computeIfAbsent(result.bytes(), ignored -> new HashMap<>())
                    .computeIfAbsent(result.name(), ignored -> new TreeMap<>())
                    .put(run, result);
        }

        Optional<Result> find(long bytes, String name, int run) {
            return Optional.ofNullable(sizes.getOrDefault(bytes, Map.of())
                    .getOrDefault(name, Map.of())
                    .get(run));
        }

        void forEach(BiConsumer<Integer, Result> action) {
            sizes.values().forEach(systems -> systems.values().forEach(runs -> runs.forEach(action)));
        }
    }

    ReportTables(List<Report> reports) {
        this.reports = reports;
        this.systems = inOrder(reports);
        for (int run = 0; run < reports.size(); run++) {
            for (Result result : reports.get(run).results()) {
                groups.computeIfAbsent(ResultGroup.of(result), ignored -> new Group())
                        .add(run, result);
            }
        }
    }

    private static List<String> inOrder(List<Report> reports) {
        Set<String> own = new LinkedHashSet<>();
        Set<String> others = new TreeSet<>();
        Set<String> limits = new TreeSet<>();
        reports.forEach(report -> report.results().stream()
                .map(Result::name)
                .forEach(name -> (isOwn(name) ? own : LIMITS.contains(name) ? limits : others).add(name)));
        return Stream.of(own, others, limits).flatMap(Set::stream).toList();
    }

    /** Whether a system can be set beside a level of Galerna: of an older build, only the same level. */
    private static boolean isComparable(String own, String other) {
        boolean isBaseline = other.equals(BASELINE) || other.startsWith(BASELINE + ' ');
        return !isBaseline || other.substring(BASELINE.length()).equals(own.substring(OWN.length()));
    }

    private static boolean isOwn(String name) {
        return name.equals(OWN) || name.startsWith(OWN + ' ');
    }

    /** Names of Galerna's levels that a run has measured. */
    private List<String> own(Group group, int run) {
        return systems.stream()
                .filter(ReportTables::isOwn)
                .filter(name -> group.sizes.keySet().stream()
                        .anyMatch(bytes -> group.find(bytes, name, run).isPresent()))
                .toList();
    }

    /** All charts, in the order in which the runs have measured them. */
    Set<ResultGroup> groups() {
        return groups.keySet();
    }

    /** Names of all systems, Galerna's own first: their place gives their colour. */
    List<String> systems() {
        return systems;
    }

    /** Galerna's levels that are measured further down: they are in tables, and in charts where there is room. */
    static boolean isInner(String name) {
        return name.equals("galerna device") || name.equals("galerna link");
    }

    static boolean isLimit(String name) {
        return LIMITS.contains(name);
    }

    /** How often Galerna is ahead of each peer, for one run; nothing if it has no peers. */
    String overview(int run) {
        Set<String> peers = new TreeSet<>();
        reports.get(run).results().stream()
                .map(Result::name)
                .filter(name -> !isOwn(name) && !LIMITS.contains(name))
                .forEach(peers::add);
        StringBuilder rows = new StringBuilder();
        groups.forEach((key, group) -> own(group, run).stream()
                .filter(own -> !isInner(own) && !key.unit().isCost())
                .forEach(own -> rows.append(overviewRow(run, key, own, peers))));
        if (peers.isEmpty() || rows.isEmpty()) {
            return "";
        }
        String caption = "At how many sizes Galerna is ahead" + (reports.size() == 1 ? "" : "; " + label(run));
        StringBuilder heads = new StringBuilder();
        peers.forEach(peer -> heads.append("<th scope=col>")
                .append(Html.escape(SystemName.of(peer)))
                .append("</th>"));
        return """
                <h3>%s</h3>
                <div class=scroll><table class=overview>
                <thead><tr><th scope=col class=system>benchmark</th>%s</tr></thead>
                <tbody>
                %s</tbody></table></div>
                """.formatted(Html.escape(caption), heads, rows);
    }

    private String overviewRow(int run, ResultGroup key, String own, Set<String> peers) {
        Group group = groups.getOrDefault(key, new Group());
        StringBuilder row = new StringBuilder("<tr><th scope=row>%s <small>%s; %s</small></th>"
                .formatted(Html.escape(key.title()), key.setting(), Html.escape(SystemName.of(own))));
        boolean any = false;
        for (String peer : peers) {
            int ahead = 0;
            int behind = 0;
            int compared = 0;
            for (long bytes : group.sizes.keySet()) {
                Optional<Standing> standing = standing(group, bytes, own, peer, run);
                compared += standing.isPresent() ? 1 : 0;
                ahead += standing.filter(Standing.AHEAD::equals).isPresent() ? 1 : 0;
                behind += standing.filter(Standing.BEHIND::equals).isPresent() ? 1 : 0;
            }
            any |= compared > 0;
            Standing sum = ahead > behind ? Standing.AHEAD : ahead < behind ? Standing.BEHIND : Standing.UNCLEAR;
            String count = ahead + behind == 0 ? sum.word() : ahead + " of " + compared;
            row.append(
                    compared == 0
                            ? "<td>" + Html.NOTHING + "</td>"
                            : "<td class=%s>%s</td>".formatted(sum.word(), count));
        }
        return any ? row.append("</tr>\n").toString() : "";
    }

    private static Optional<Standing> standing(Group group, long bytes, String own, String peer, int run) {
        return group.find(bytes, own, run)
                .filter(mine -> isComparable(own, peer))
                .flatMap(mine -> group.find(bytes, peer, run).map(other -> standing(mine, other)));
    }

    private static Standing standing(Result mine, Result other) {
        return other.system().equals(BASELINE) ? mine.standing().orElse(Standing.UNCLEAR) : Standing.of(mine, other);
    }

    /** Median, ratios, best and interval. */
    String results(ResultGroup key) {
        Group group = groups.getOrDefault(key, new Group());
        StringBuilder runHeads = new StringBuilder();
        StringBuilder heads = new StringBuilder();
        for (int run = 0; run < reports.size(); run++) {
            List<String> own = own(group, run);
            runHeads.append("<th scope=colgroup colspan=%s>%s</th>".formatted(3 + own.size(), Html.escape(label(run))));
            heads.append("<th scope=col>median</th>");
            own.forEach(name -> heads.append("<th scope=col>")
                    .append(Html.escape(SystemName.of(name)))
                    .append(" is</th>"));
            heads.append("<th scope=col>best</th><th scope=col>95 % interval</th>");
        }
        String upper = reports.size() == 1 ? "" : "<tr><th colspan=2></th>" + runHeads + "</tr>";
        return table(
                upper + "<tr><th scope=col>size</th><th scope=col class=system>system</th>" + heads + "</tr>",
                rows(group, (bytes, name, run) -> cells(group, bytes, name, run)));
    }

    /** Percentiles of single operations; nothing where none were recorded. */
    String percentiles(ResultGroup key) {
        Group group = groups.getOrDefault(key, new Group());
        Group recorded = new Group();
        Set<Double> percents = new TreeSet<>();
        group.forEach((run, result) -> {
            if (!result.percentiles().isEmpty()) {
                recorded.add(run, result);
                percents.addAll(result.percentiles().keySet());
            }
        });
        if (percents.isEmpty()) {
            return "";
        }
        StringBuilder runHeads = new StringBuilder();
        StringBuilder heads = new StringBuilder();
        for (int run = 0; run < reports.size(); run++) {
            runHeads.append(
                    "<th scope=colgroup colspan=%s>%s</th>".formatted(percents.size(), Html.escape(label(run))));
            percents.forEach(percent -> heads.append("<th scope=col>%s</th>".formatted(percentHead(percent))));
        }
        String upper = reports.size() == 1 ? "" : "<tr><th colspan=2></th>" + runHeads + "</tr>";
        return "<h3>Percentiles of single operations, %s</h3>\n"
                        .formatted(Html.escape(key.unit().symbol()))
                + table(
                        upper + "<tr><th scope=col>size</th><th scope=col class=system>system</th>" + heads + "</tr>",
                        rows(
                                recorded,
                                (bytes, name, run) -> percentileCells(recorded.find(bytes, name, run), percents)));
    }

    /** How a run is called where there are several. */
    String label(int run) {
        String title = reports.get(run).title().strip();
        return "Run " + (run + 1) + (title.isEmpty() ? "" : ": " + title);
    }

    private static String percentHead(double percent) {
        return percent == 100 ? "max" : Double.toString(percent).replaceFirst("\\.0$", "") + " %";
    }

    @FunctionalInterface
    private interface Cells {
        String of(long bytes, String name, int run);
    }

    private String rows(Group group, Cells cells) {
        StringBuilder rows = new StringBuilder();
        group.sizes.forEach((bytes, measured) -> {
            rows.append("<tbody>\n");
            List<String> names = systems.stream().filter(measured::containsKey).toList();
            for (String name : names) {
                rows.append("<tr>");
                if (name.equals(names.getFirst())) {
                    rows.append("<th scope=rowgroup rowspan=%s class=size>%s</th>"
                            .formatted(names.size(), Html.size(bytes)));
                }
                rows.append("<th scope=row class=\"system%s\">%s</th>"
                        .formatted(isOwn(name) ? " own" : "", Html.escape(SystemName.of(name))));
                for (int run = 0; run < reports.size(); run++) {
                    rows.append(cells.of(bytes, name, run));
                }
                rows.append("</tr>\n");
            }
            rows.append("</tbody>\n");
        });
        return rows.toString();
    }

    private static String table(String head, String bodies) {
        return "<div class=scroll><table>\n<thead>%s</thead>\n%s</table></div>\n".formatted(head, bodies);
    }

    private String cells(Group group, long bytes, String name, int run) {
        List<String> own = own(group, run);
        Optional<Result> found = group.find(bytes, name, run);
        if (found.isEmpty()) {
            return ("<td>" + Html.NOTHING + "</td>").repeat(3 + own.size());
        }
        Result result = found.get();
        StringBuilder cells = new StringBuilder(
                "<td class=median data-series=\"%s\" data-run=%s data-bytes=%s data-low=%s data-high=%s data-value=%s>%s</td>"
                        .formatted(
                                Html.escape(name),
                                run,
                                bytes,
                                result.lowerBound(),
                                result.upperBound(),
                                result.median(),
                                Html.number(result.median())));
        for (String mine : own) {
            Optional<Result> base = group.find(bytes, mine, run).filter(any -> isComparable(mine, name));
            cells.append(
                    isOwn(name)
                            ? "<td></td>"
                            : base.map(mineResult -> ratio(mineResult, result)).orElse("<td></td>"));
        }
        cells.append("<td>").append(Html.number(result.best())).append("</td>");
        cells.append("<td title=\"%s repetitions\">%s–%s</td>"
                .formatted(result.repetitions(), Html.number(result.lowerBound()), Html.number(result.upperBound())));
        return cells.toString();
    }

    /** How Galerna stands to another system, in words: "58 × faster". */
    private static String ratio(Result mine, Result other) {
        Ratio toBaseline = mine.baseline();
        if (toBaseline != null && other.system().equals(BASELINE)) {
            return ratioToBaseline(mine, toBaseline);
        }
        double ratio = Ratio.of(mine, other).median();
        if (LIMITS.contains(other.name())) {
            return Double.isFinite(ratio)
                    ? "<td class=unclear>%s × limit</td>".formatted(Html.number(ratio))
                    : "<td>" + Html.NOTHING + "</td>";
        }
        Standing standing = mine.median() == other.median() ? Standing.UNCLEAR : Standing.of(mine, other);
        if (standing == Standing.UNCLEAR) {
            return "<td class=unclear>about equal</td>";
        }
        String word = mine.unit().comparison(standing == Standing.AHEAD);
        double factor = ratio < 1 ? 1 / ratio : ratio;
        return "<td class=%s>%s%s</td>"
                .formatted(standing.word(), Double.isFinite(factor) ? factor(factor) + " × " : "", word);
    }

    /** In figures, for one percent counts here: "1.031 (1.012–1.055) slower". */
    private static String ratioToBaseline(Result mine, Ratio ratio) {
        Standing standing = mine.standing().orElse(Standing.UNCLEAR);
        return String.format(
                Locale.ROOT,
                "<td class=%s title=\"new / old\">%.3f (%.3f–%.3f)%s</td>",
                standing.word(),
                ratio.median(),
                ratio.lowerBound(),
                ratio.upperBound(),
                standing == Standing.UNCLEAR ? "" : " " + mine.unit().comparison(standing == Standing.AHEAD));
    }

    /** Two digits are enough to say how many times. */
    private static String factor(double factor) {
        return String.format(Locale.ROOT, factor >= 9.95 ? "%,.0f" : factor >= 1.095 ? "%.1f" : "%.2f", factor)
                .replace(",", "&#8239;");
    }

    private static String percentileCells(Optional<Result> result, Set<Double> percents) {
        StringBuilder cells = new StringBuilder();
        for (double percent : percents) {
            cells.append("<td>")
                    .append(result.map(Result::percentiles)
                            .map(percentiles -> percentiles.get(percent))
                            .map(Html::number)
                            .orElse(Html.NOTHING))
                    .append("</td>");
        }
        return cells.toString();
    }
}
