package org.galerna.cli.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.lang.model.SourceVersion;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A program that is given as a source file. Other classes are found by their packages below the folder of the sources, as
 * for {@code java Hello.java}: those that the program uses, and those whose names it has as text.
 *
 * @param mainClass the class to run
 * @param classes class files by the names of their classes
 * @param file the source file
 */
public record SourceProgram(String mainClass, Map<String, byte[]> classes, Path file) {
    private static final String SUFFIX = ".java";

    /** As the source launcher of the JDK has it. */
    private static final List<String> OPTIONS = List.of(
            "-proc:none",
            "-Xprefer:source",
            "-Xdiags:verbose",
            "-Xlint:deprecation",
            "-Xlint:unchecked",
            "-Xlint:-options");

    /** Whether a word in place of a class is a source file. */
    public static boolean isSource(String word) {
        return word.endsWith(SUFFIX);
    }

    /**
     * Compiles a program.
     *
     * @param classPath of Galerna and of the program
     * @param modulePath of the program; may be empty
     * @param jvmOptions of the virtual machines that will run it: some matter for the compiler
     * @param errors where the compiler says what is wrong
     * @throws SourceException if that is not a program
     */
    public static SourceProgram compile(
            Path file, String classPath, String modulePath, List<String> jvmOptions, PrintWriter errors) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw SourceException.notAProgram(
                    "the Java in " + System.getProperty("java.home") + " has no compiler; a JDK has one");
        }
        return new Compilation(compiler, file, options(classPath, modulePath, jvmOptions), errors).run();
    }

    private static List<String> options(String classPath, String modulePath, List<String> jvmOptions) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(List.of("-cp", classPath));
        if (!modulePath.isEmpty()) {
            options.addAll(List.of("--module-path", modulePath));
        }
        for (String option : jvmOptions) {
            if (option.startsWith("--add-exports=")
                    || option.startsWith("--limit-modules=")
                    || option.startsWith("--patch-module=")) {
                options.add(option);
            } else if (option.startsWith("--add-modules=") && !option.contains("ALL-")) {
                options.add(option);
            } else if (option.equals("--enable-preview")) {
                options.addAll(List.of(
                        option, "--release", String.valueOf(Runtime.version().feature())));
            }
        }
        return options;
    }

    /** One compilation of the main file, and of what turns out to belong to it. */
    private static final class Compilation {
        private final JavaCompiler compiler;
        private final MainFile file;
        private final List<String> options;
        private final PrintWriter errors;
        private final StandardJavaFileManager standard;
        private final MemoryFiles files;
        private final List<String> types = new ArrayList<>();
        private Path root = Path.of("");

        Compilation(JavaCompiler compiler, Path file, List<String> options, PrintWriter errors) {
            this.compiler = compiler;
            this.file = MainFile.read(file);
            this.options = options;
            this.errors = errors;
            this.standard = compiler.getStandardFileManager(null, null, null);
            this.files = new MemoryFiles(standard);
        }

        SourceProgram run() {
            try (files) {
                parse();
                if (Files.exists(root.resolve("module-info.java"))) {
                    throw SourceException.notAProgram(
                            file.path() + " is part of a module, as " + root.resolve("module-info.java")
                                    + " says; compile the module with galerna javac, and run it with -p PATH -m MODULE");
                }
                standard.setLocationFromPaths(StandardLocation.SOURCE_PATH, file.isAlone() ? List.of() : List.of(root));
                compile(List.of(file));
                if (!file.isAlone()) {
                    compileWhatIsNamed();
                }
                Map<String, byte[]> classes = files.classes();
                return new SourceProgram(
                        mainClass(classes),
                        classes,
                        file.path().toAbsolutePath().normalize());
            } catch (IOException unusable) {
                throw new UncheckedIOException(unusable);
            }
        }

        /** Finds out the package and the types. What is wrong with the file the compilation says. */
        private void parse() throws IOException {
            JavacTask task = (JavacTask)
                    compiler.getTask(PrintWriter.nullWriter(), standard, _ -> {}, null, null, List.of(file));
            String inPackage = "";
            for (CompilationUnitTree unit : task.parse()) {
                if (unit.getPackageName() != null) {
                    inPackage = unit.getPackageName().toString();
                }
                String prefix = inPackage.isEmpty() ? "" : inPackage + ".";
                unit.getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .forEach(type -> types.add(prefix + ((ClassTree) type).getSimpleName()));
            }
            root = root(inPackage);
        }

        private Path root(String inPackage) {
            Path folder = Objects.requireNonNull(
                    file.path().toAbsolutePath().normalize().getParent());
            if (inPackage.isEmpty()) {
                return folder;
            }
            Path asFolders = Path.of(inPackage.replace('.', '/'));
            if (!folder.endsWith(asFolders)) {
                throw SourceException.notAProgram("the folder of " + file.path() + " does not match its package "
                        + inPackage + ": it ought to end in " + asFolders);
            }
            Path root = folder;
            for (int level = 0; level < asFolders.getNameCount(); level++) {
                root = Objects.requireNonNull(root.getParent());
            }
            return root;
        }

        private void compile(List<? extends JavaFileObject> units) {
            boolean right =
                    compiler.getTask(errors, files, null, options, null, units).call();
            errors.flush();
            if (!right) {
                throw SourceException.withErrors();
            }
        }

        /** Classes that the program loads by their names, until nothing is new. */
        private void compileWhatIsNamed() throws IOException {
            Set<String> scanned = new HashSet<>();
            while (true) {
                Set<Path> more = new LinkedHashSet<>();
                Map<String, byte[]> known = files.classes();
                for (Map.Entry<String, byte[]> each : known.entrySet()) {
                    if (scanned.add(each.getKey())) {
                        addNamed(each.getValue(), known.keySet(), more);
                    }
                }
                if (more.isEmpty()) {
                    return;
                }
                List<JavaFileObject> units = new ArrayList<>(List.of(file));
                standard.getJavaFileObjects(more.toArray(Path[]::new)).forEach(units::add);
                compile(units);
            }
        }

        private void addNamed(byte[] classFile, Set<String> known, Set<Path> more) {
            for (var entry : ClassFile.of().parse(classFile).constantPool()) {
                if (entry instanceof StringEntry text && SourceVersion.isName(text.stringValue())) {
                    String name = text.stringValue();
                    Path source = root.resolve(name.replace('.', '/') + SUFFIX);
                    if (!known.contains(name) && Files.isRegularFile(source)) {
                        more.add(source);
                    }
                }
            }
        }

        /** The first class of the file if it has a main method, or else the one that is named like the file. */
        private String mainClass(Map<String, byte[]> classes) {
            if (types.isEmpty()) {
                throw SourceException.notAProgram("there is no class in " + file.path());
            }
            String first = types.getFirst();
            if (hasMain(first, classes)) {
                return first;
            }
            String name = String.valueOf(file.path().getFileName());
            String simple = name.substring(0, name.length() - SUFFIX.length());
            return types.stream()
                    .filter(type -> type.equals(simple) || type.endsWith("." + simple))
                    .findFirst()
                    .orElse(first);
        }

        /** Whether a class has a main method, in itself or in a class of the program that it extends. */
        private static boolean hasMain(String name, Map<String, byte[]> classes) {
            String next = name;
            while (classes.containsKey(next)) {
                ClassModel type = ClassFile.of().parse(classes.get(next));
                boolean has = type.methods().stream()
                        .anyMatch(method -> method.methodName().equalsString("main")
                                && !method.flags().has(AccessFlag.PRIVATE)
                                && (method.methodType().equalsString("([Ljava/lang/String;)V")
                                        || method.methodType().equalsString("()V")));
                if (has) {
                    return true;
                }
                next = type.superclass()
                        .map(parent -> parent.asInternalName().replace('/', '.'))
                        .orElse("");
            }
            return false;
        }
    }
}
