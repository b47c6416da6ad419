package org.galerna.cli.observe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.options.RanksFolder;
import org.galerna.cli.usage.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option {@code --jfr}. Each process has flight recorder write a recording to a folder of its own making; after the job they
 * become one file, or get the names of their ranks.
 */
public final class JfrOption {
    private static final String NAME = "--jfr";
    private static final String SETTINGS = "--jfr-settings";
    private static final String MESSAGES = "messages";
    private static final List<String> OF_THE_JDK = List.of("default", "profile");
    private static final String ENDING = ".jfr";

    @Option(
            names = NAME,
            paramLabel = "FILE.jfr|FOLDER",
            description =
                    "record with Flight Recorder, and write one file of all processes, or one for each process to a folder")
    private @Nullable Path target;

    @Option(
            names = SETTINGS,
            paramLabel = "NAME",
            description =
                    "what to record: default, profile, messages (each message, too), or a file of settings; default: ${DEFAULT-VALUE}")
    private String settings = OF_THE_JDK.getFirst();

    private @Nullable Path folder;
    private final AtomicBoolean reported = new AtomicBoolean();

    /** An option that has not been given. */
    public JfrOption() {}

    /** Whether the job is to be recorded. */
    public boolean isWanted() {
        return target != null;
    }

    /**
     * Makes the processes record.
     *
     * @param jvmOptions to which the necessary ones are added
     * @param here whether all processes run on this host
     */
    public void addTo(List<String> jvmOptions, boolean here) {
        Path wanted = target;
        if (wanted == null) {
            return;
        }
        if (isFile(wanted)) {
            OutputPath.checkFile(NAME, wanted);
        } else {
            OutputPath.checkFolder(NAME, wanted);
        }
        Path made = RanksFolder.beside(NAME, wanted);
        folder = made;
        jvmOptions.add(
                "-XX:StartFlightRecording=filename=" + quoted(made.resolve("%p-%t" + ENDING)) + settingsIn(made));
        if (here) {
            // so that something is left of a process that is killed; over the network of a cluster that might take too
            // long
            jvmOptions.add("-XX:FlightRecorderOptions=repository=" + quoted(made.resolve("unfinished")));
        }
        jvmOptions.add("-Xlog:jfr+startup=error"); // it would be said to the output of the program
    }

    private static boolean isFile(Path target) {
        return !Files.isDirectory(target) && target.toString().endsWith(ENDING);
    }

    private static String quoted(Path path) {
        return "\"" + path + "\"";
    }

    private String settingsIn(Path made) {
        if (OF_THE_JDK.contains(settings)) {
            return ",settings=" + settings;
        }
        if (settings.equals(MESSAGES)) {
            return ",settings=" + OF_THE_JDK.getFirst() + ",settings=" + quoted(messages(made));
        }
        Path file = Path.of(settings).toAbsolutePath();
        if (!Files.isReadable(file)) {
            RanksFolder.remove(made);
            throw new UsageException(SETTINGS + " takes default, profile, messages or a file that can be read, not \""
                    + settings + "\"");
        }
        return ",settings=" + quoted(file);
    }

    private static Path messages(Path made) {
        try (InputStream in =
                Objects.requireNonNull(JfrOption.class.getResourceAsStream("messages.jfc"), "messages.jfc")) {
            Path file = made.resolve("messages.jfc");
            Files.copy(in, file);
            return file;
        } catch (IOException impossible) {
            throw new UsageException(NAME + ": " + made + " cannot be written: " + impossible.getMessage());
        }
    }

    /** Writes what has been recorded, once, and removes the files of the processes. */
    public void report() {
        Path wanted = target;
        Path ofRanks = folder;
        if (wanted == null || ofRanks == null || reported.getAndSet(true)) {
            return;
        }
        try {
            write(Recording.in(ofRanks), wanted);
            RanksFolder.remove(ofRanks);
        } catch (IOException failure) {
            System.err.println("galerna: the recording cannot be written: " + failure.getMessage()
                    + "; what the processes have recorded is in " + ofRanks);
        }
    }

    private static void write(List<Recording> all, Path wanted) throws IOException {
        if (all.isEmpty()) {
            System.err.println("galerna: there is no recording: no process has run for long enough");
        } else if (isFile(wanted)) {
            Recording.merge(all, wanted);
            System.err.println("galerna: the recording is " + wanted + ", of "
                    + (all.size() == 1 ? "one process" : all.size() + " processes"));
        } else {
            Recording.copy(all, wanted);
            System.err.println("galerna: the recordings are in " + wanted);
        }
    }
}
