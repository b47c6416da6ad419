package org.galerna.cli.options;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.galerna.cli.usage.UsageException;
import org.jspecify.annotations.Nullable;

/** Places for results: tried before anything is measured, since a result that cannot be kept is lost. */
public final class OutputPath {
    private OutputPath() {}

    /** Checks that a file can be written, without a change to it. */
    public static void checkFile(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw cannotWrite(option, file, "it is a folder");
        }
        boolean present = Files.exists(file);
        if (present && !Files.isRegularFile(file)) {
            return; // a pipe or a terminal: to open it may take until somebody reads
        }
        try (OutputStream opened = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            opened.flush();
        } catch (IOException impossible) {
            throw cannotWrite(option, file, reason(impossible, file));
        }
        if (!present) {
            delete(file);
        }
    }

    /** Checks the files of a report in several forms; those that are null are not wanted. */
    public static void checkReports(@Nullable Path csv, @Nullable Path json, @Nullable Path html) {
        checkAreDifferent("--csv", csv, "--json", json);
        checkAreDifferent("--csv", csv, "--html", html);
        checkAreDifferent("--json", json, "--html", html);
        checkFile("--csv", csv);
        checkFile("--json", json);
        checkFile("--html", html);
    }

    /** Writes a report in one of its forms. */
    @FunctionalInterface
    public interface ReportWriter {
        /** Writes it to a file. */
        void write(Path file) throws IOException;
    }

    /**
     * Writes a report to a file, unless that is null.
     *
     * @throws UncheckedIOException if that fails, with a line for the user
     */
    public static void writeReport(@Nullable Path file, ReportWriter writer) {
        if (file != null) {
            try {
                writer.write(file);
            } catch (IOException failed) {
                throw new UncheckedIOException("the report cannot be written: " + failed.getMessage(), failed);
            }
        }
    }

    private static void checkAreDifferent(String option, @Nullable Path file, String other, @Nullable Path otherFile) {
        if (file != null
                && otherFile != null
                && file.toAbsolutePath()
                        .normalize()
                        .equals(otherFile.toAbsolutePath().normalize())) {
            throw new UsageException(option + " and " + other + " both name " + file + ": one would replace the other");
        }
    }

    /** Checks that files can be written into a folder, which is made if it is not there. */
    public static void checkFolder(String option, Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw cannotWrite(option, folder, "it is a file, not a folder");
        }
        try {
            Files.createDirectories(folder);
            // always the same one: the next check removes that of a process which was killed here
            Path trial = folder.resolve(".galerna-" + System.getProperty("user.name", "user") + ".try");
            Files.newOutputStream(trial, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)
                    .close();
            delete(trial);
        } catch (IOException impossible) {
            throw cannotWrite(option, folder, reason(impossible, folder));
        }
    }

    /** Checks that files can be written into a folder that has none yet; it is made if it is not there. */
    public static void checkNewFolder(String option, Path folder) {
        checkFolder(option, folder);
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isPresent()) {
                throw new UsageException(option + " " + folder
                        + " has files in it that are not to be mixed with new ones: name a new folder");
            }
        } catch (IOException impossible) {
            throw cannotWrite(option, folder, reason(impossible, folder));
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // empty, and about to be written
            return;
        }
    }

    private static UsageException cannotWrite(String option, Path path, String reason) {
        return new UsageException(option + " " + path + " cannot be written: " + reason);
    }

    private static String reason(IOException failure, Path path) {
        Path folder = path.toAbsolutePath().getParent();
        return switch (failure) {
            case NoSuchFileException _ when folder != null && !Files.exists(folder) -> "there is no folder " + folder;
            case NoSuchFileException _ -> "no file can be made there";
            case FileAlreadyExistsException there -> there.getFile() + " is a file, not a folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
