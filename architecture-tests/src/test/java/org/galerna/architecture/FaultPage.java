package org.galerna.architecture;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.galerna.testkit.Fault.Where;
import org.jspecify.annotations.Nullable;

/** The page that tells which faults are shown to be survived where: made of the list of faults and the tests for them. */
final class FaultPage {
    private static final String LIST = "/faults.properties";

    private static final String HEAD = """
            # What Galerna survives

            Faults that links, devices and the launcher are tried with, and the tests that show what happens then. Written
            by `FaultPageTest` out of the `@Fault` annotations of the tests and of the list in `architecture-tests`; to
            write it anew: `mvn test -pl architecture-tests -am -Dtest=FaultPageTest -Dsurefire.failIfNoSpecifiedTests=false
            -Dgalerna.faults.write=true`.

            A number is that of the tests; "in part" means that something of it is still open, which is said below the
            table; a dash, that it cannot happen there, with the reason below. What is shown of verbs is shown on software
            RoCE and iWARP, in a virtual machine, in the slow tier, or with an imitation of an adapter.

            | | fault | threads | shm | tcp | verbs | ucx | ofi | launch |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            """;

    private final Properties list = new Properties();
    private final FaultTests tests = FaultTests.scan();
    private final Map<Integer, String> faults = new TreeMap<>();

    FaultPage() throws IOException {
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(FaultPage.class.getResourceAsStream(LIST)), StandardCharsets.UTF_8)) {
            list.load(reader);
        }
        for (String key : new TreeSet<>(list.stringPropertyNames())) {
            if (key.matches("\\d+")) {
                faults.put(Integer.valueOf(key), list.getProperty(key));
            } else if (!key.matches("\\d+\\.(threads|shm|tcp|verbs|ucx|ofi|launch)(\\.(open|tests))?")) {
                throw new AssertionError(LIST + ": unknown key " + key);
            } else if (key.endsWith(".tests")) {
                addByName(key);
            }
        }
    }

    private void addByName(String key) {
        String[] parts = key.split("\\.");
        for (String test : list.getProperty(key).split(",\\s*")) {
            tests.addByName(Integer.parseInt(parts[0]), Where.valueOf(parts[1].toUpperCase(Locale.ROOT)), test);
        }
    }

    /** Faults that tests are annotated with although the list does not have them. */
    Set<Integer> unknown() {
        Set<Integer> unknown = new TreeSet<>(tests.faults());
        unknown.removeAll(faults.keySet());
        return unknown;
    }

    /** Tests for what is said to be impossible, and open ends of what nothing is shown of. */
    List<String> contradictions() {
        List<String> contradictions = new ArrayList<>();
        for (int fault : faults.keySet()) {
            for (Where where : Where.values()) {
                Set<String> shown = tests.of(fault, where);
                if (reason(fault, where) != null && !shown.isEmpty()) {
                    contradictions.add("fault " + fault + " cannot happen on " + column(where) + ", but " + shown);
                }
                if (open(fault, where) != null && shown.isEmpty()) {
                    contradictions.add("fault " + fault + " has an open end on " + column(where) + ", but no test");
                }
            }
        }
        return contradictions;
    }

    private static String column(Where where) {
        return where.name().toLowerCase(Locale.ROOT);
    }

    private @Nullable String reason(int fault, Where where) {
        return list.getProperty(fault + "." + column(where));
    }

    private @Nullable String open(int fault, Where where) {
        return list.getProperty(fault + "." + column(where) + ".open");
    }

    /** The whole text. */
    String text() {
        StringBuilder page = new StringBuilder(HEAD);
        faults.forEach((fault, what) -> {
            page.append("| ").append(fault).append(" | ").append(what).append(" |");
            for (Where where : Where.values()) {
                page.append(' ').append(cell(fault, where)).append(" |");
            }
            page.append('\n');
        });
        faults.keySet().forEach(fault -> details(page, fault));
        return page.toString();
    }

    private String cell(int fault, Where where) {
        int count = tests.of(fault, where).size();
        if (reason(fault, where) != null) {
            return "–";
        }
        if (count == 0) {
            return "untested";
        }
        return open(fault, where) == null ? String.valueOf(count) : "in part: " + count;
    }

    private void details(StringBuilder page, int fault) {
        page.append("\n## ").append(fault).append("\n\n");
        Map<Where, String> lines = new EnumMap<>(Where.class);
        for (Where where : Where.values()) {
            Set<String> shown = tests.of(fault, where);
            String text = shown.isEmpty() ? "untested" : String.join(", ", shown);
            String reason = reason(fault, where);
            String open = open(fault, where);
            lines.put(
                    where,
                    reason != null ? "not applicable: " + reason : open != null ? text + "; open: " + open : text);
        }
        // places with the same tests share a line
        Map<String, List<String>> places = new LinkedHashMap<>();
        lines.forEach((where, line) ->
                places.computeIfAbsent(line, none -> new ArrayList<>()).add(column(where)));
        places.forEach((line, columns) -> page.append("- ")
                .append(String.join(", ", columns))
                .append(": ")
                .append(line)
                .append('\n'));
    }
}
