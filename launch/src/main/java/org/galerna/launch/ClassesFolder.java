package org.galerna.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.galerna.launch.program.ClassNames;
import org.galerna.link.process.TemporaryFolder;

/**
 * A folder with the classes of a program that was compiled for one job. Only this user may enter it. It stands first on
 * the program's class path, and the last process that needs it removes it.
 */
public final class ClassesFolder {
    private static final String KIND = "classes";

    private ClassesFolder() {}

    /**
     * Writes classes into a new folder.
     *
     * @param classes class files by the names of their classes
     */
    public static Path write(Map<String, byte[]> classes) throws IOException {
        TemporaryFolder made = TemporaryFolder.make(KIND);
        Path folder = made.path();
        try {
            for (Map.Entry<String, byte[]> each : classes.entrySet()) {
                Path file = folder.resolve(ClassNames.toResource(each.getKey()));
                Files.createDirectories(file.getParent());
                Files.write(file, each.getValue());
            }
        } catch (IOException full) {
            made.close();
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
        TemporaryFolder.remove(folder);
    }

    /** Keeps the folder that a class path begins with, if it is one of these, until this process ends: it needs the classes in it. */
    public static void keepFirstOf(String classPath) {
        if (!classPath.contains(KIND)) {
            return; // most ranks, at each start
        }
        Path first = firstOf(classPath);
        if (isOne(first)) {
            TemporaryFolder.keep(first);
        }
    }

    /** Removes the folder that a class path begins with, if it is one of these: the process that made it is gone. */
    public static void removeFrom(String classPath) {
        Path first = firstOf(classPath);
        if (isOne(first)) {
            remove(first);
        }
    }

    private static Path firstOf(String classPath) {
        int end = classPath.indexOf(File.pathSeparatorChar);
        return Path.of(end < 0 ? classPath : classPath.substring(0, end));
    }

    private static boolean isOne(Path first) {
        return TemporaryFolder.isOf(KIND, first) && first.toAbsolutePath().startsWith(TemporaryFolder.parent());
    }
}
