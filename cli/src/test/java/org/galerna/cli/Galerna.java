package org.galerna.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Starts the command as a process, as a user does. */
final class Galerna {
    private static final long PATIENCE_SECONDS = 180;

    private final Path folder;

    Galerna(Path folder) {
        this.folder = folder;
    }

    /** How a command ended, and what it wrote. */
    record Ended(int status, String output, String errors) {}

    Ended run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("galerna " + List.of(arguments) + " has not ended");
        }
        return new Ended(
                process.exitValue(),
                Files.readString(folder.resolve("out.txt")),
                Files.readString(folder.resolve("err.txt")));
    }

    /** Runs a command that is refused in this process, which takes a hundredth of the time; its folder is another one. */
    static Ended refused(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            int status = Main.execute(arguments);
            return new Ended(status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", // as the start script has it
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    /** Compiles a class into the folder {@code classes}. */
    void compile(String className, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(className + ".java"), source, StandardCharsets.UTF_8);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int status = compiler.run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.resolve("classes").toString(),
                "-proc:none",
                file.toString());
        if (status != 0) {
            throw new AssertionError("the program of the test does not compile");
        }
    }
}
