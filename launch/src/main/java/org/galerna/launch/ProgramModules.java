package org.galerna.launch;

import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.galerna.launch.program.ModuleGraph;
import org.galerna.launch.program.ProgramException;

/**
 * The modules of a program that {@code java -m} would run.
 *
 * @param path the module path, as {@code java -p} takes it; empty if the program is on the class path
 * @param options what {@code java} is told of the program's modules, e.g. {@code --add-opens=my.module/my.part=other},
 *     where ranks share a virtual machine and it does not know these modules; without blanks
 */
public record ProgramModules(String path, List<String> options) {
    /** A program on the class path. */
    public static final ProgramModules NONE = new ProgramModules("", List.of());

    private static final String ALL_UNNAMED = "ALL-UNNAMED";

    /** Names of sets of modules: this one has those of the program, the others those of the JDK. */
    private static final String ALL_ON_PATH = "ALL-MODULE-PATH";

    private static final Set<String> SYSTEM_SETS = Set.of("ALL-DEFAULT", "ALL-SYSTEM", ALL_UNNAMED);

    /** Modules with the list copied. */
    public ProgramModules {
        options = List.copyOf(options);
    }

    /** Whether the program is on the class path. */
    public boolean isEmpty() {
        return path.isEmpty();
    }

    /** Has programs find in this virtual machine what {@code java -p … -m main} would tell them. */
    public void announce(String main) {
        if (!isEmpty()) {
            System.setProperty("jdk.module.path", path);
            ModuleGraph.announce(main);
        }
    }

    /** The folders and archives of the module path. */
    public Path[] places() {
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(place -> !place.isEmpty())
                .map(Path::of)
                .toArray(Path[]::new);
    }

    /**
     * What to run, as {@code module/class}.
     *
     * @param main the same, or the module alone, if it names its main class
     * @throws IllegalArgumentException if there is no such module, or it names no main class
     */
    public String mainOf(String main) {
        int slash = main.indexOf('/');
        String name = slash < 0 ? main : main.substring(0, slash);
        ModuleDescriptor module = find(name).descriptor();
        if (slash >= 0) {
            return main;
        }
        return name + "/"
                + module.mainClass()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "module " + name + " names no main class; name it: -m " + name + "/CLASS"));
    }

    private ModuleReference find(String name) {
        try {
            ModuleFinder finder = ModuleFinder.of(places());
            Optional<ModuleReference> found =
                    finder.find(name).or(() -> ModuleFinder.ofSystem().find(name));
            return found.orElseThrow(() -> new IllegalArgumentException("there is no module " + name
                    + " on the module path"
                    + finder.findAll().stream()
                            .map(module -> module.descriptor().name())
                            .sorted()
                            .reduce((one, other) -> one + ", " + other)
                            .map(names -> ", only " + names)
                            .orElse("")));
        } catch (FindException unreadable) {
            throw new IllegalArgumentException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /**
     * How ranks that share a virtual machine are started.
     *
     * @param jvmOptions for the virtual machine
     * @param modules with the options that are left to them
     */
    public record InOneMachine(List<String> jvmOptions, ProgramModules modules) {}

    /**
     * Divides options of {@code java} into those that a virtual machine without the program's modules understands, and
     * those for the program's modules.
     *
     * @param main what to run: {@code module/class}
     * @throws IllegalArgumentException if one of them cannot be obeyed, or the modules do not go together
     */
    public InOneMachine inOneMachine(List<String> jvmOptions, String main) {
        if (isEmpty()) {
            return new InOneMachine(jvmOptions, this);
        }
        List<String> machine = new ArrayList<>();
        List<String> own = new ArrayList<>(options);
        for (String option : jvmOptions) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = option.substring(equals + 1);
            switch (name) {
                case "--add-modules", "--enable-native-access" -> {
                    addNames(name, value, true, machine);
                    addNames(name, value, false, own);
                }
                case "--add-opens", "--add-exports" -> {
                    boolean ofSystem = isOfSystem(value.substring(0, Math.max(0, value.indexOf('/'))));
                    if (ofSystem && !isOfSystem(value.substring(value.indexOf('=') + 1))) {
                        // whom a package of the JDK is open to can open it to modules that come later
                        machine.add("--add-opens=" + value.substring(0, value.indexOf('=') + 1) + ALL_UNNAMED);
                    }
                    (ofSystem && isOfSystem(value.substring(value.indexOf('=') + 1)) ? machine : own).add(option);
                }
                case "--add-reads" ->
                    (isOfSystem(value.substring(0, Math.max(0, value.indexOf('=')))) ? machine : own).add(option);
                case "--patch-module" -> {
                    if (!isOfSystem(value.substring(0, Math.max(0, value.indexOf('='))))) {
                        throw new IllegalArgumentException(
                                option + " is for ranks that are processes: use --procs, with one rank each");
                    }
                    machine.add(option);
                }
                default -> machine.add(option);
            }
        }
        ProgramModules modules = new ProgramModules(path, own);
        try {
            List<String> missing = modules.resolve(main).missingInThisMachine();
            if (!missing.isEmpty()) {
                machine.add("--add-modules=" + String.join(",", missing));
            }
        } catch (ProgramException unresolved) {
            throw new IllegalArgumentException(unresolved.reason(), unresolved);
        }
        return new InOneMachine(machine, modules);
    }

    /**
     * The modules that the program needs.
     *
     * @param main what to run: {@code module/class}
     * @throws ProgramException if one is missing, or they do not go together
     */
    ModuleGraph resolve(String main) {
        return isEmpty() ? ModuleGraph.NONE : ModuleGraph.resolve(places(), options, main);
    }

    private static void addNames(String option, String names, boolean ofSystem, List<String> to) {
        String some = Arrays.stream(names.split(","))
                .filter(name -> isOfSystem(name) == ofSystem)
                .collect(Collectors.joining(","));
        if (!some.isEmpty()) {
            to.add(option + "=" + some);
        }
    }

    /** Whether all of these names are known to a virtual machine without the program's modules. */
    private static boolean isOfSystem(String names) {
        return Arrays.stream(names.split(","))
                .allMatch(name -> !name.equals(ALL_ON_PATH)
                        && (SYSTEM_SETS.contains(name)
                                || ModuleFinder.ofSystem().find(name).isPresent()));
    }
}
