package org.galerna.applications.fdtd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.applications.Progress;

/**
 * The command line of {@link Fdtd}.
 *
 * @param parameterFile what to simulate
 * @param outputFolder where pictures and tables go
 * @param steps number of time steps; empty for that of the parameter file
 * @param frames number of pictures of an animated sequence, 0 for none
 * @param warmUpSeconds time for the compiler before the steps are timed
 * @param fieldFile where all components go at the end; empty for nowhere
 * @param progress how progress is told
 */
record FdtdOptions(
        Path parameterFile,
        Path outputFolder,
        OptionalInt steps,
        int frames,
        double warmUpSeconds,
        Optional<Path> fieldFile,
        Progress.Mode progress) {
    static final String USAGE = """
            usage: Fdtd PARAMETER-FILE [OUTPUT-FOLDER] [options]
              OUTPUT-FOLDER     where the results go (default: fdtd-output)
              --steps N         that many time steps instead of those of the file
              --frames N        also draw N pictures and an animation of the whole time
              --warm-up SECONDS work on a throw-away field for a while before the steps are timed
              --field FILE      write all components of the field at the end
              --progress MODE   auto, bar, lines or none (default: auto)""";

    /**
     * Understands arguments.
     *
     * @throws ParameterException if they are wrong
     */
    static FdtdOptions parse(String[] arguments) {
        List<Path> paths = new ArrayList<>();
        OptionalInt steps = OptionalInt.empty();
        int frames = 0;
        double warmUpSeconds = 0.0;
        Optional<Path> fieldFile = Optional.empty();
        Progress.Mode progress = Progress.Mode.AUTO;
        for (int index = 0; index < arguments.length; index++) {
            String argument = arguments[index];
            switch (argument) {
                case "--steps" -> steps = OptionalInt.of(positive(argument, value(arguments, ++index, argument)));
                case "--frames" -> frames = positive(argument, value(arguments, ++index, argument));
                case "--warm-up" -> warmUpSeconds = seconds(value(arguments, ++index, argument));
                case "--field" -> fieldFile = Optional.of(Path.of(value(arguments, ++index, argument)));
                case "--progress" -> progress = mode(value(arguments, ++index, argument));
                default -> {
                    if (argument.startsWith("-")) {
                        throw new ParameterException("unknown option " + argument + "\n" + USAGE);
                    }
                    paths.add(Path.of(argument));
                }
            }
        }
        if (paths.isEmpty() || paths.size() > 2) {
            throw new ParameterException(
                    paths.isEmpty() ? "no parameter file was given\n" + USAGE : "too many arguments\n" + USAGE);
        }
        Path output = paths.size() == 2 ? paths.get(1) : Path.of("fdtd-output");
        return new FdtdOptions(paths.get(0), output, steps, frames, warmUpSeconds, fieldFile, progress);
    }

    private static String value(String[] arguments, int index, String option) {
        if (index >= arguments.length) {
            throw new ParameterException("option " + option + " needs a value\n" + USAGE);
        }
        return arguments[index];
    }

    private static int positive(String option, String text) {
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw new ParameterException(option + " needs a positive number, not " + text);
        }
        throw new ParameterException(option + " needs a positive number, not " + text);
    }

    private static double seconds(String text) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && value <= 3600) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw new ParameterException("--warm-up needs a number of seconds from 0 to 3600, not " + text);
        }
        throw new ParameterException("--warm-up needs a number of seconds from 0 to 3600, not " + text);
    }

    private static Progress.Mode mode(String text) {
        for (Progress.Mode mode : Progress.Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw new ParameterException("--progress is auto, bar, lines or none, not " + text);
    }
}
