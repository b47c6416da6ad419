package org.galerna.bench.evaluation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.applications.nas.Nas;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.process.ProcessJob;

/** Runs programs of measurements, and reads their speed from what they print. */
final class KernelRun {
    private static final Pattern MOPS = Pattern.compile("Mop/s total +=\\s+([0-9.]+)");
    private static final Pattern VERIFIED =
            Pattern.compile("Verification +=\\s+SUCCESSFUL|Verification test for FT successful");
    private static final long MINUTES = 20;

    private KernelRun() {}

    /** Millions of operations in a second, if the block says that the result is right. */
    static OptionalDouble mops(String printed) {
        Matcher speed = MOPS.matcher(printed);
        return VERIFIED.matcher(printed).find() && speed.find()
                ? OptionalDouble.of(Double.parseDouble(speed.group(1)))
                : OptionalDouble.empty();
    }

    /** A kernel of Galerna on ranks that are threads. */
    static OptionalDouble ofGalerna(String kernel, String letter, int ranks, int threads) {
        return mops(run(
                ranks,
                Nas.class.getName(),
                List.of(kernel, "--class", letter, "--threads", Integer.toString(threads)),
                Optional.empty()));
    }

    /** What a program of Galerna prints; on threads of one new process, or on processes over a device. */
    static String run(int ranks, String program, List<String> arguments, Optional<String> device) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(ranks)
                .classPath("")
                .mainClass(program)
                .arguments(arguments)
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output);
        device.ifPresentOrElse(
                job::device,
                () -> job.classPath(GalernaPath.classPath()) // each rank gets its own copy of the program
                        .ranksPerProcess(ranks)
                        .jvmOptions(Nas.jvmOptions(1)));
        job.build().run();
        return output.toString(StandardCharsets.UTF_8);
    }

    /** The program of a kernel in a folder of NASA's programs, whatever version made it. */
    static Optional<Path> find(Path folder, String kernel, String letter) {
        return List.of("", ".x", ".1").stream()
                .flatMap(end -> List.of(folder, folder.resolve("bin")).stream()
                        .map(place -> place.resolve(kernel + "." + letter + end)))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** A program of NASA's on one core. */
    static OptionalDouble ofNative(Path program) {
        try {
            Path output = Files.createTempFile("galerna-npb", ".out");
            try {
                Process process = new ProcessBuilder(program.toAbsolutePath().toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                    return OptionalDouble.empty();
                }
                return mops(Files.readString(output));
            } finally {
                Files.delete(output);
            }
        } catch (IOException cannotStart) {
            return OptionalDouble.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return OptionalDouble.empty();
        }
    }

    /** The first number after a word, in what a program prints. */
    static OptionalDouble numberBefore(String printed, String unit) {
        Matcher matcher = Pattern.compile("([0-9.]+) " + Pattern.quote(unit)).matcher(printed);
        return matcher.find() ? OptionalDouble.of(Double.parseDouble(matcher.group(1))) : OptionalDouble.empty();
    }

    /** How a kernel is named in a table. */
    static String title(String kernel, String letter) {
        return kernel.toUpperCase(Locale.ROOT) + " class " + letter;
    }
}
