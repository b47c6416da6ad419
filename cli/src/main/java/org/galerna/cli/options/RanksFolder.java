package org.galerna.cli.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.cli.usage.UsageException;

/**
 * A hidden folder beside a result, to which ranks write what the result is made of. A cluster shares it as it shares the
 * program. Where all processes of a job are killed at once it stays: it has the only copy of what they have written.
 */
public final class RanksFolder {
    private RanksFolder() {}

    /**
     * Makes one.
     *
     * @param option that asks for the result, for the complaint where that is impossible
     */
    public static Path beside(String option, Path result) {
        Path absolute = result.toAbsolutePath().normalize();
        try {
            return Files.createTempDirectory(absolute.getParent(), "." + absolute.getFileName() + ".ranks-");
        } catch (IOException impossible) {
            throw new UsageException(option + " " + result + " cannot be written: " + impossible.getMessage());
        }
    }

    /** Removes it with all that is in it. */
    public static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stays) {
            System.err.println("galerna: " + folder + " cannot be removed: " + stays.getMessage());
        }
    }

    /** The files of such a folder and the folders in it, by their names. */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
