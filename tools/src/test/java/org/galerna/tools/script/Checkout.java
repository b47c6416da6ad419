package org.galerna.tools.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.galerna.cli.Main;

/**
 * A small tree that looks to the start script like a checkout of Galerna. Its Maven is a script that notes each call in
 * the file {@code calls} and takes {@link Main} for the result of the build.
 */
final class Checkout {
    /** What a run of the start script gave. */
    record Run(int status, String output, String errors) {}

    private static final Path SCRIPT = Path.of("../galerna").toAbsolutePath().normalize();

    /** The text of help, from the root of a checkout. */
    static final String HELP = "cli/src/main/resources/org/galerna/cli/help.txt";

    /** What the script runs as sources. */
    private static final String TOOLS = "tools/src/main/java";

    private final Path root;
    private final Path maven;
    private final Map<String, String> environment = new TreeMap<>();

    Checkout(Path root, Path tools) throws IOException {
        this.root = root;
        this.maven = tools.resolve("maven");
        Files.createDirectories(root.resolve("memory/src/main/java"));
        Files.createDirectories(root.resolve(".mvn"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.writeString(root.resolve("memory/pom.xml"), "<project/>");
        Files.copy(SCRIPT, root.resolve("galerna"));
        makeExecutable(root.resolve("galerna"));
        Files.createDirectories(root.resolve(HELP).getParent());
        Files.copy(SCRIPT.resolveSibling(HELP), root.resolve(HELP));
        copyTree(SCRIPT.resolveSibling(TOOLS), root.resolve(TOOLS));
        Path program = tools.resolve("program.jar");
        Files.createDirectories(maven.resolve("bin"));
        writeProgram(program);
        setMaven("mkdir -p dist/target/run && cp '" + program + "' dist/target/run/galerna.jar");
        setEnvironment("MAVEN_HOME", maven.toString());
        setEnvironment("JAVA_HOME", System.getProperty("java.home"));
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    Path script() {
        return root.resolve("galerna");
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** Makes Maven do {@code command}, in the root of the checkout, after noting the call. */
    void setMaven(String command) throws IOException {
        Path executable = maven.resolve("bin/mvn");
        Files.writeString(executable, """
                #!/usr/bin/env bash
                cd '%s' || exit 9
                echo "$* " >> calls
                %s
                """.formatted(root, command));
        makeExecutable(executable);
    }

    void setEnvironment(String name, String value) {
        environment.put(name, value);
    }

    /** The calls of Maven so far, each with its arguments. */
    List<String> mavenCalls() throws IOException {
        Path calls = root.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /** Changes a source, a minute after everything that happened so far. */
    void changeSource() throws IOException {
        Path source = root.resolve("memory/src/main/java/Changed.java");
        Files.writeString(source, "class Changed {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    }

    Process start(Path script, Path output, Path errors, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(script.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GALERNA_") || name.equals("MAVEN_OPTS"));
        builder.environment().put("GALERNA_NO_INSTALL", "yes");
        builder.environment().putAll(environment);
        return builder.start();
    }

    Run run(Path script, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(maven, "output", ".txt");
        Path errors = Files.createTempFile(maven, "errors", ".txt");
        Process process = start(script, output, errors, arguments);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the start script did not end: " + Files.readString(errors));
        }
        return new Run(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    Run run(String... arguments) throws IOException, InterruptedException {
        return run(script(), arguments);
    }

    /** Makes a folder that looks like a JDK of this release. */
    static void writeJdk(Path home, String version) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        for (String tool : List.of("java", "javac")) {
            Path executable = home.resolve("bin").resolve(tool);
            Files.writeString(executable, "#!/bin/sh\necho wrong JDK >&2\nexit 42\n");
            makeExecutable(executable);
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private static void writeProgram(Path jar) throws IOException {
        String name = Main.class.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream archive = new JarOutputStream(file, manifest);
                InputStream bytes = Checkout.class.getClassLoader().getResourceAsStream(name)) {
            archive.putNextEntry(new JarEntry(name));
            bytes.transferTo(archive);
        }
    }

    static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
