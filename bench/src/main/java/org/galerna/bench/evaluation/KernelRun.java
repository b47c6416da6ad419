package org.galerna.bench.evaluation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.applications.nas.Nas;
import org.galerna.bench.peers.MpjExpress;
import org.galerna.bench.suite.ProgramCommand;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.process.ProcessJob;
import org.galerna.link.process.TemporaryFolder;

/** Runs programs of Galerna, and reads their speed from what they print. */
final class KernelRun {
    private static final Pattern MOPS = Pattern.compile("Mop/s total +=\\s+([0-9.]+)");
    private static final Pattern VERIFIED =
            Pattern.compile("Verification +=\\s+SUCCESSFUL|Verification test for FT successful");

    private static final long MINUTES = 20;

    private KernelRun() {}

    /** Where ranks are. */
    sealed interface Place {
        /** Threads of one process. */
        record Threads() implements Place {}

        /** A process for each. */
        record Processes(String device) implements Place {}

        /** Threads of MPJ Express. */
        record MpjExpressThreads() implements Place {}
    }

    /** Millions of operations in a second, if the block says that the result is right. */
    static OptionalDouble mops(String printed) {
        Matcher speed = MOPS.matcher(printed);
        return VERIFIED.matcher(printed).find() && speed.find()
                ? OptionalDouble.of(Double.parseDouble(speed.group(1)))
                : OptionalDouble.empty();
    }

    /** A kernel of Galerna. */
    static OptionalDouble kernel(String kernel, String letter, int ranks, int threads, Place place) {
        return mops(run(
                ranks,
                Nas.class.getName(),
                List.of(kernel, "--class", letter, "--threads", Integer.toString(threads)),
                place));
    }

    /** What a program of Galerna prints; nothing if it has failed. */
    static String run(int ranks, String program, List<String> arguments, Place place) {
        if (place instanceof Place.MpjExpressThreads) {
            ProgramCommand command = new MpjExpress().program(ranks, Nas.jvmOptions(1), program, arguments);
            return output(command.words(), command.environment());
        }
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(ranks)
                .mainClass(program)
                .arguments(arguments)
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output);
        if (place instanceof Place.Processes(String device)) {
            job.classPath("").device(device).jvmOptions(Nas.jvmOptions(ranks));
        } else {
            job.classPath(GalernaPath.classPath()) // each rank gets its own copy of the program
                    .ranksPerProcess(ranks)
                    .jvmOptions(Nas.jvmOptions(1));
        }
        return job.build().run().status() == 0 ? output.toString(StandardCharsets.UTF_8) : "";
    }

    /** What a command prints; nothing if it cannot be started, or takes too long. */
    static String output(List<String> words, Map<String, String> environment) {
        try {
            try (TemporaryFolder folder = TemporaryFolder.make("program").untilEnd()) {
                Path output = folder.path().resolve("out");
                ProcessBuilder builder =
                        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                process.getOutputStream().close();
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                    return "";
                }
                return Files.readString(output, StandardCharsets.ISO_8859_1);
            }
        } catch (IOException cannotStart) {
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** The first number before a unit, in what a program prints. */
    static OptionalDouble numberBefore(String printed, String unit) {
        Matcher matcher = Pattern.compile("([0-9.]+) " + Pattern.quote(unit)).matcher(printed);
        return matcher.find() ? OptionalDouble.of(Double.parseDouble(matcher.group(1))) : OptionalDouble.empty();
    }

    /** How a kernel is named in a table. */
    static String title(String kernel, String letter) {
        return kernel.toUpperCase(Locale.ROOT) + " class " + letter;
    }
}
