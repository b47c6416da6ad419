package org.galerna.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.Fault.Where;

/** The tests that are annotated with the faults they are for, found in the sources of all modules. */
final class FaultTests {
    private static final Pattern ANNOTATION = Pattern.compile("@Fault\\(([^)]*)\\)");
    private static final Pattern NUMBER = Pattern.compile("\\b\\d+\\b");
    private static final Pattern DECLARED = Pattern.compile(
            "^\\s*(?:(?:public|default|abstract|static|final) )*(void|class|interface) (\\w+)", Pattern.MULTILINE);
    private static final Pattern CONTRACT = Pattern.compile("class (\\w+)\\s+implements\\s+([\\w,\\s]+)\\{");

    /** What the tests of a module are about; the others have to say it. */
    private static final Map<String, Set<Where>> MODULES = Map.ofEntries(
            Map.entry("testkit", EnumSet.of(Where.THREADS)),
            Map.entry("collectives", EnumSet.of(Where.THREADS)),
            Map.entry("mpj", EnumSet.of(Where.THREADS)),
            Map.entry("link-shm", EnumSet.of(Where.SHM)),
            Map.entry("link-tcp", EnumSet.of(Where.TCP)),
            Map.entry("link-verbs", EnumSet.of(Where.VERBS)),
            Map.entry("link-ucx", EnumSet.of(Where.UCX)),
            Map.entry("device-ucx", EnumSet.of(Where.UCX)),
            Map.entry("link-ofi", EnumSet.of(Where.OFI)),
            Map.entry("launch", EnumSet.of(Where.LAUNCH)),
            Map.entry("cli", EnumSet.of(Where.LAUNCH)));

    private final Map<Integer, Map<Where, Set<String>>> shown = new TreeMap<>();
    private final Map<String, Path> classes = new TreeMap<>();

    private FaultTests() {}

    /** Reads the sources. */
    static FaultTests scan() {
        FaultTests tests = new FaultTests();
        List<Path> files = new ArrayList<>(SourceFiles.of("test"));
        SourceFiles.of("main").stream()
                .filter(file -> file.startsWith("testkit") || file.startsWith("stress"))
                .filter(file -> !name(file).equals("Fault"))
                .forEach(files::add);
        for (Path file : files) {
            if (file.startsWith("architecture-tests")) {
                continue;
            }
            tests.classes.put(name(file), file);
            for (MatchResult found :
                    ANNOTATION.matcher(SourceFiles.text(file)).results().toList()) {
                tests.addAnnotation(file, found);
            }
        }
        return tests;
    }

    private void addAnnotation(Path file, MatchResult annotation) {
        Matcher declared = DECLARED.matcher(SourceFiles.text(file));
        if (!declared.find(annotation.end())) {
            throw new AssertionError(file + ": nothing after " + annotation.group());
        }
        boolean method = declared.group(1).equals("void");
        String test = "`" + name(file) + (method ? "." + declared.group(2) : "") + "`";
        Set<Where> places = EnumSet.noneOf(Where.class);
        for (Where each : Where.values()) {
            if (annotation.group(1).matches("(?s).*\\b" + each.name() + "\\b.*")) {
                places.add(each);
            }
        }
        if (places.isEmpty()) {
            places = defaultPlaces(file);
        }
        for (MatchResult number : NUMBER.matcher(annotation.group(1)).results().toList()) {
            add(Integer.parseInt(number.group()), places, test);
        }
    }

    private void add(int fault, Set<Where> places, String test) {
        for (Where each : places) {
            shown.computeIfAbsent(fault, none -> new TreeMap<>())
                    .computeIfAbsent(each, none -> new TreeSet<>())
                    .add(test);
        }
    }

    /**
     * Adds a test of a module that the test kit stands on, which therefore cannot be annotated.
     *
     * @param where what it is about
     * @param test class, or class and method with a dot between them
     */
    void addByName(int fault, Where where, String test) {
        String[] parts = test.split("\\.");
        Path file = classes.get(parts[0]);
        if (file == null || (parts.length == 2 && !SourceFiles.text(file).contains("void " + parts[1] + "("))) {
            throw new AssertionError("fault " + fault + ": there is no test " + test);
        }
        add(fault, Set.of(where), "`" + test + "`");
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static Set<Where> defaultPlaces(Path file) {
        if (file.startsWith("testkit/src/main")) {
            return placesOfContract(name(file));
        }
        Set<Where> places = MODULES.get(file.getName(0).toString());
        if (places == null) {
            throw new AssertionError(file + ": @Fault has to say by \"on\" where it is shown");
        }
        return places;
    }

    /** Where there are tests that extend the contract of which this is a part. */
    private static Set<Where> placesOfContract(String part) {
        Set<Where> places = EnumSet.noneOf(Where.class);
        for (Path file : SourceFiles.of("main")) {
            Matcher contract = CONTRACT.matcher(file.startsWith("testkit") ? SourceFiles.text(file) : "");
            if (contract.find()
                    && List.of(contract.group(2).strip().split(",\\s*")).contains(part)) {
                for (Path test : SourceFiles.of("test")) {
                    if (SourceFiles.text(test).contains("extends " + contract.group(1))) {
                        places.addAll(defaultPlaces(test));
                    }
                }
            }
        }
        if (places.isEmpty()) {
            throw new AssertionError(part + " is part of no contract that any test extends");
        }
        return places;
    }

    /** Numbers of the faults that any test is for. */
    Set<Integer> faults() {
        return shown.keySet();
    }

    /** The tests for a fault in one place, in alphabetic order. */
    Set<String> of(int fault, Where where) {
        return shown.getOrDefault(fault, Map.of()).getOrDefault(where, Set.of());
    }
}
