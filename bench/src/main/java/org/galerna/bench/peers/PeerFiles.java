package org.galerna.bench.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.galerna.bench.suite.ContenderException;
import org.galerna.link.process.TemporaryFolder;
import org.galerna.nativeaccess.cache.CacheFolder;

/** The folder where peers keep what they have compiled and downloaded, and the programs that make it. */
final class PeerFiles {
    private static final long MINUTES_FOR_A_TOOL = 5;
    private static final int QUOTED_LINES = 3;

    private PeerFiles() {}

    /** The user's cache, as the XDG base directory specification says; made if it is not there. */
    static Path cache() throws IOException {
        return Files.createDirectories(CacheFolder.ofUser().resolve("peers"));
    }

    /** A folder beside what is kept, and on the same file system: what is made in it is moved to its place. */
    static TemporaryFolder workshop(Path cache) throws IOException {
        return TemporaryFolder.makeHidden(cache, "peer").untilEnd();
    }

    /** Copies a resource of this package into a folder, under its own name. */
    static Path extract(String resource, Path folder) throws IOException {
        try (InputStream source = PeerFiles.class.getResourceAsStream(resource)) {
            if (source == null) {
                throw new IOException(resource + " is missing in the archive of Galerna");
            }
            Path file = folder.resolve(resource);
            Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        }
    }

    /**
     * Compiles a program in Java, a resource of this package, by the JDK that runs this.
     *
     * @param program name of its class
     * @param classes folder for the class files
     * @throws ContenderException if it does not compile
     */
    static void compile(String program, String classPath, Path classes) throws IOException {
        Path folder = cache();
        Path source = extract(program + ".java", folder);
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "-proc:none",
                "-cp",
                classPath,
                "-d",
                classes.toString(),
                source.toString());
        runTool("compiling " + source.getFileName(), folder, command);
    }

    /**
     * Runs a tool to its end.
     *
     * @param folder where it works
     * @throws ContenderException if it fails, with the lines of what it said that tell of an error, or its last ones
     */
    static void runTool(String purpose, Path folder, List<String> command) {
        try (TemporaryFolder folderOfLog = TemporaryFolder.make("tool").untilEnd()) {
            Path log = folderOfLog.path().resolve("log");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES_FOR_A_TOOL, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new ContenderException(purpose + " took more than " + MINUTES_FOR_A_TOOL + " minutes");
            }
            if (process.exitValue() != 0) {
                String said = Files.readString(log, StandardCharsets.ISO_8859_1);
                throw new ContenderException(purpose + " failed: " + essence(said));
            }
        } catch (IOException cannotStart) {
            throw new ContenderException(purpose + " failed: " + cannotStart.getMessage(), cannotStart);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ContenderException(purpose + " was interrupted", interrupted);
        }
    }

    private static String essence(String said) {
        List<String> lines =
                said.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        List<String> errors = lines.stream()
                .filter(line -> line.contains("error") || line.contains("ERROR"))
                .toList();
        return (errors.isEmpty() ? lines.reversed() : errors)
                .stream().limit(QUOTED_LINES).collect(Collectors.joining(" / "));
    }
}
