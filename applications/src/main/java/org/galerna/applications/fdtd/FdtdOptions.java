package org.galerna.applications.fdtd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.applications.OptionValue;
import org.galerna.applications.ProgramException;
import org.galerna.applications.Progress;

/**
 * The command line of {@link Fdtd}.
 *
 * @param parameterFile what to simulate
 * @param outputFolder where pictures and tables go
 * @param steps number of time steps; empty for that of the parameter file
 * @param frames number of pictures of an animated sequence, 0 for none
 * @param warmUpSeconds least time for the compiler before the steps are timed
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
              --warm-up SECONDS first step an empty field, so long and until the compiler is done
              --field FILE      write all components of the field at the end
              --progress MODE   auto, bar, lines or none (default: auto)""";

    /**
     * Understands arguments.
     *
     * @throws ProgramException if they are wrong
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
                case "--steps" ->
                    steps = OptionalInt.of(
                            OptionValue.whole(argument, value(arguments, ++index, argument), 1, Integer.MAX_VALUE));
                case "--frames" -> frames = OptionValue.whole(argument, value(arguments, ++index, argument), 1, 10_000);
                case "--warm-up" ->
                    warmUpSeconds = OptionValue.number(argument, value(arguments, ++index, argument), 0, 3600);
                case "--field" -> fieldFile = Optional.of(Path.of(value(arguments, ++index, argument)));
                case "--progress" -> progress = OptionValue.progress(argument, value(arguments, ++index, argument));
                default -> {
                    if (argument.startsWith("-")) {
                        throw new ProgramException("unknown option " + argument + "\n" + USAGE);
                    }
                    paths.add(Path.of(argument));
                }
            }
        }
        if (paths.isEmpty() || paths.size() > 2) {
            throw new ProgramException(
                    paths.isEmpty() ? "no parameter file was given\n" + USAGE : "too many arguments\n" + USAGE);
        }
        Path output = paths.size() == 2 ? paths.get(1) : Path.of("fdtd-output");
        return new FdtdOptions(paths.get(0), output, steps, frames, warmUpSeconds, fieldFile, progress);
    }

    private static String value(String[] arguments, int index, String option) {
        if (index >= arguments.length) {
            throw new ProgramException("option " + option + " needs a value\n" + USAGE);
        }
        return arguments[index];
    }
}
