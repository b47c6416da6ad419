package org.galerna.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.galerna.launch.program.ClassNames;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the classes of a program that was compiled for one job. Only this user may enter it. It stands first on
 * the program's class path, and the last process that needs it removes it.
 */
public final class ClassesFolder {
    private static final String NAME = "galerna-classes-";

    private ClassesFolder() {}

    /**
     * Writes classes into a new folder.
     *
     * @param classes class files by the names of their classes
     */
    public static Path write(Map<String, byte[]> classes) throws IOException {
        Path folder = SystemRandom.folder(NAME);
        try {
            for (Map.Entry<String, byte[]> each : classes.entrySet()) {
                Path file = folder.resolve(ClassNames.toResource(each.getKey()));
                Files.createDirectories(file.getParent());
                Files.write(file, each.getValue());
            }
        } catch (IOException full) {
            remove(folder);
            throw full;
        }
        return folder;
    }

    /** A class path with a folder in front. */
    public static String before(String classPath, Path folder) {
        return classPath.isEmpty() ? folder.toString() : folder + File.pathSeparator + classPath;
    }

    /** Removes a folder, if nobody else has done so. */
    public static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure) throws IOException {
                    Files.deleteIfExists(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException another) {
            // another process of the job was quicker
            return;
        }
    }

    /** Removes the folder that a class path begins with, if it is one of these: the process that made it is gone. */
    public static void removeFrom(String classPath) {
        int end = classPath.indexOf(File.pathSeparatorChar);
        Path first = Path.of(end < 0 ? classPath : classPath.substring(0, end));
        Path name = first.getFileName();
        if (name != null
                && name.toString().startsWith(NAME)
                && first.toAbsolutePath().startsWith(System.getProperty("java.io.tmpdir", "/tmp"))) {
            remove(first);
        }
    }
}
