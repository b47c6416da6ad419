package org.galerna.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A library in place of {@code libibverbs} and {@code librdmacm}: {@code imitation.c}, which the C compiler makes if it is
 * there. Adapters that it imitates reach each other within one process.
 */
public final class ImitatedAdapter {
    private static final String SOURCE = "imitation.c";

    private ImitatedAdapter() {}

    /** The library, compiled; without a C compiler and the header the test is skipped. */
    public static Path compile() {
        try (InputStream source = Objects.requireNonNull(ImitatedAdapter.class.getResourceAsStream(SOURCE))) {
            Path folder = Files.createTempDirectory("galerna-imitation");
            folder.toFile().deleteOnExit();
            Path file = folder.resolve(SOURCE);
            Path library = folder.resolve("libimitation.so");
            Path log = folder.resolve("log");
            for (Path each : new Path[] {file, library, log}) {
                each.toFile().deleteOnExit();
            }
            Files.copy(source, file);
            Process compiler = new ProcessBuilder(
                            "gcc", "-shared", "-fPIC", "-O2", "-o", library.toString(), file.toString(), "-lpthread")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = compiler.waitFor(2, TimeUnit.MINUTES);
            String errors = Files.readString(log);
            Assumptions.assumeFalse(
                    errors.contains("infiniband/verbs.h: No such file"), "libibverbs-dev is not installed");
            if (!ended || compiler.exitValue() != 0) {
                throw new AssertionError(errors);
            }
            return library;
        } catch (IOException noCompiler) {
            return Assumptions.abort("there is no C compiler: " + noCompiler.getMessage());
        } catch (InterruptedException interrupted) {
            throw new UncheckedIOException(new IOException(interrupted));
        }
    }
}
