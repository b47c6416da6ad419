package org.galerna.launch.program;

import java.lang.ModuleLayer.Controller;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The modules of a program whose ranks share a virtual machine, resolved as {@code java -m} does. Each rank defines them
 * once more, in a layer of its own whose modules all have the class loader of the rank. What {@code java} is told of
 * modules on its command line is done to the layer.
 *
 * <p>Galerna is not a part of the layer: modules that require {@code org.galerna} get a module of that name without
 * content, and read the one that Galerna is in, and the classes of it that each rank has for itself.
 */
public final class ModuleGraph {
    /** A program on the class path. */
    public static final ModuleGraph NONE = new ModuleGraph(List.of(), "", Optional.empty());

    private static final String GALERNA = "org.galerna";

    /** What the parts of Galerna are called where they are modules of their own. */
    private static final Set<String> PARTS = Stream.of(
                    "bench",
                    "cli",
                    "collectives",
                    "device",
                    "device.ucx",
                    "launch",
                    "link",
                    "link.ofi",
                    "link.shm",
                    "link.tcp",
                    "link.ucx",
                    "link.verbs",
                    "memory",
                    "messaging",
                    "mpi",
                    "mpj",
                    "nativeaccess",
                    "ranks",
                    "sockets")
            .map(part -> GALERNA + "." + part)
            .collect(Collectors.toUnmodifiableSet());

    private final List<String> options;
    private final String main;
    private final Optional<Configuration> configuration;

    private ModuleGraph(List<String> options, String main, Optional<Configuration> configuration) {
        this.options = options;
        this.main = main;
        this.configuration = configuration;
    }

    /**
     * Resolves the modules that a program needs.
     *
     * @param places folders and archives of the module path
     * @param options what {@code java} is told of these modules
     * @param main what to run: {@code module/class}
     * @throws ProgramException if one is missing, or they do not go together
     */
    public static ModuleGraph resolve(Path[] places, List<String> options, String main) {
        try {
            ModuleFinder finder = new ProgramFinder(ModuleFinder.of(places));
            Set<String> roots = new HashSet<>(Set.of(moduleOf(main)));
            for (String name : values(options, "--add-modules")) {
                if (name.equals("ALL-MODULE-PATH")) {
                    finder.findAll()
                            .forEach(module -> roots.add(module.descriptor().name()));
                } else {
                    roots.add(name);
                }
            }
            return new ModuleGraph(
                    options,
                    main,
                    Optional.of(
                            ModuleLayer.boot().configuration().resolveAndBind(finder, ModuleFinder.ofSystem(), roots)));
        } catch (FindException | ResolutionException | SecurityException unresolved) {
            throw new ProgramException(
                    "the modules of the program do not go together: " + unresolved.getMessage(), unresolved);
        }
    }

    private static String moduleOf(String main) {
        return main.substring(0, main.indexOf('/'));
    }

    /** The class to run of {@code module/class}. */
    public static String classOf(String main) {
        return main.substring(main.indexOf('/') + 1);
    }

    /** Has programs find what was started where {@code java -m} says it. */
    public static void announce(String main) {
        System.setProperty("jdk.module.main", moduleOf(main));
        System.setProperty("jdk.module.main.class", classOf(main));
    }

    private static List<String> values(List<String> options, String option) {
        return options.stream()
                .filter(each -> each.startsWith(option + "="))
                .flatMap(each ->
                        Arrays.stream(each.substring(option.length() + 1).split(",")))
                .toList();
    }

    /** The modules of the JDK that a virtual machine needs for the program and does not have by default. */
    public List<String> missingInThisMachine() {
        return configuration.stream()
                .flatMap(graph -> graph.modules().stream())
                .map(ResolvedModule::reference)
                .filter(ModuleGraph::isOfSystem)
                .map(module -> module.descriptor().name())
                .sorted()
                .toList();
    }

    private static boolean isOfSystem(ModuleReference module) {
        return module.location()
                .filter(place -> "jrt".equals(place.getScheme()))
                .isPresent();
    }

    /** Where the content of each module of the program is. */
    Map<String, Path> places() {
        Map<String, Path> places = new LinkedHashMap<>();
        configuration.stream()
                .flatMap(graph -> graph.modules().stream())
                .forEach(module -> module.reference()
                        .location()
                        .filter(place -> "file".equals(place.getScheme()))
                        .ifPresent(place -> places.put(module.name(), Path.of(place))));
        return places;
    }

    /**
     * Makes the modules known to the virtual machine, for a rank.
     *
     * @param loader the class loader of the rank, which has not defined any class yet
     */
    public void define(ClassLoader loader) {
        if (configuration.isEmpty()) {
            return;
        }
        if (!missingInThisMachine().isEmpty()) {
            throw new ProgramException(
                    "the program needs modules of the JDK that this virtual machine does not have: --add-modules="
                            + String.join(",", missingInThisMachine()));
        }
        Controller layer =
                ModuleLayer.defineModules(configuration.get(), List.of(ModuleLayer.boot()), module -> loader);
        Module galerna = ModuleGraph.class.getModule();
        List<Module> readByAll = List.of(galerna, api(), loader.getUnnamedModule());
        for (Module module : layer.layer().modules()) {
            readByAll.forEach(other -> layer.addReads(module, other));
        }
        Module start = find(layer, moduleOf(main))
                .orElseThrow(() -> new ProgramException("module " + moduleOf(main) + " is one of the JDK's"));
        String packageName = ClassNames.packageOf(classOf(main));
        if (start.getPackages().contains(packageName)) {
            layer.addOpens(start, packageName, galerna);
        }
        options.forEach(option -> obey(option, layer, loader));
    }

    /** The module of what programs call, which ranks share. */
    private static Module api() {
        try {
            return Class.forName("mpi.Comm", false, ModuleGraph.class.getClassLoader())
                    .getModule();
        } catch (ClassNotFoundException launcherAlone) {
            return ModuleGraph.class.getModule();
        }
    }

    @SuppressWarnings("restricted") // the user grants native access to modules by name
    private static void obey(String option, Controller layer, ClassLoader loader) {
        int equals = option.indexOf('=');
        String name = option.substring(0, equals);
        String value = option.substring(equals + 1);
        switch (name) {
            case "--enable-native-access" ->
                Arrays.stream(value.split(","))
                        .map(module -> find(layer, module))
                        .flatMap(Optional::stream)
                        .forEach(layer::enableNativeAccess);
            case "--add-reads" -> {
                String[] parts = value.split("=", 2);
                find(layer, parts[0])
                        .ifPresent(module ->
                                targets(parts[1], layer, loader).forEach(target -> layer.addReads(module, target)));
            }
            case "--add-opens", "--add-exports" -> {
                String[] parts = value.split("[/=]", 3);
                targets(parts[2], layer, loader)
                        .forEach(target -> open(parts[0], parts[1], target, name.equals("--add-opens"), layer));
            }
            default -> {
                // --add-modules, which the modules are resolved with
            }
        }
    }

    private static void open(String module, String packageName, Module target, boolean deep, Controller layer) {
        Optional<Module> own = layer.layer().findModule(module);
        if (own.isPresent() && own.get().getLayer() == layer.layer()) {
            if (deep) {
                layer.addOpens(own.get(), packageName, target);
            } else {
                layer.addExports(own.get(), packageName, target);
            }
        } else {
            // the JDK's package is open to Galerna, which can open it to others
            own.filter(platform -> platform.isOpen(packageName, ModuleGraph.class.getModule()))
                    .ifPresent(platform -> platform.addOpens(packageName, target));
        }
    }

    private static Optional<Module> find(Controller layer, String name) {
        return layer.layer().findModule(name).filter(module -> module.getLayer() == layer.layer());
    }

    private static List<Module> targets(String names, Controller layer, ClassLoader loader) {
        return Arrays.stream(names.split(","))
                .flatMap(name -> name.equals("ALL-UNNAMED")
                        ? Stream.of(loader.getUnnamedModule())
                        : layer.layer().findModule(name).stream())
                .toList();
    }

    /** The modules on the program's path, and one without content in place of Galerna and each of its parts. */
    private record ProgramFinder(ModuleFinder path) implements ModuleFinder {
        @Override
        public Optional<ModuleReference> find(String name) {
            return isGalernas(name) ? Optional.of(new Empty(name)) : path.find(name);
        }

        @Override
        public Set<ModuleReference> findAll() {
            Set<ModuleReference> all = new HashSet<>(Set.of(new Empty(GALERNA)));
            path.findAll().stream()
                    .filter(module -> !isGalernas(module.descriptor().name()))
                    .forEach(all::add);
            return all;
        }

        private static boolean isGalernas(String name) {
            return name.equals(GALERNA) || PARTS.contains(name);
        }
    }

    /** A module without content. */
    private static final class Empty extends ModuleReference {
        Empty(String name) {
            super(ModuleDescriptor.newModule(name).build(), null);
        }

        @Override
        public ModuleReader open() {
            return new ModuleReader() {
                @Override
                public Optional<URI> find(String name) {
                    return Optional.empty();
                }

                @Override
                public Optional<ByteBuffer> read(String name) {
                    return Optional.empty();
                }

                @Override
                public Stream<String> list() {
                    return Stream.empty();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Empty empty && empty.descriptor().equals(descriptor());
        }

        @Override
        public int hashCode() {
            return descriptor().hashCode();
        }
    }
}
