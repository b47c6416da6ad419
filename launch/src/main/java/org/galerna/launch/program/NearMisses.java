package org.galerna.launch.program;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.galerna.link.settings.Spelling;
import org.jspecify.annotations.Nullable;

/** What a person may have meant who named a class that is not there. */
public final class NearMisses {
    private static final int MOST_CLASSES = 50_000;
    private static final int MOST_SUGGESTIONS = 3;

    /** Of a file name, with its dot: shorter than most simple names of classes. */
    private static final int LONGEST_ENDING = 6;

    private NearMisses() {}

    /** A sentence that says where a class was looked for, and which similar ones are there. */
    public static String describe(String className, ClassPath classPath) {
        String message = "class " + className + " not found in " + classPath.description();
        if (className.endsWith(".java")) {
            return message + "; this is a source file: start it with galerna run";
        }
        String other = otherThanAClass(className, classPath);
        if (other != null) {
            return message + "; " + other;
        }
        List<String> similar = similar(withoutFileNotation(className), classPath.classNames(MOST_CLASSES));
        return similar.isEmpty() ? message : message + "; did you mean " + String.join(" or ", similar) + "?";
    }

    /** What a name stands for that is not one of a class; null if it is not known. */
    private static @Nullable String otherThanAClass(String name, ClassPath classPath) {
        String dotted = withoutFileNotation(name);
        String simple = ClassNames.simpleName(dotted);
        for (String meant : List.of(dotted, simple)) {
            String folder = classPath.folderOf(meant);
            if (folder != null) {
                return (meant.equals(name) ? "it" : "class " + meant) + " is in folder " + folder + ": give -cp "
                        + folder + (meant.equals(name) ? "" : " " + meant);
            }
        }
        if (name.endsWith(".jar") && isFile(name)) {
            return "this is a jar: give -jar " + name;
        }
        if (isFolder(name)) {
            return "this is a folder: give -cp " + name + " and the name of a class";
        }
        String stem = name.contains(".") && name.length() - name.lastIndexOf('.') <= LONGEST_ENDING
                ? name.substring(0, name.lastIndexOf('.'))
                : name;
        return isFile(stem + ".java") ? "there is a source file: give " + stem + ".java" : null;
    }

    private static boolean isFile(String name) {
        try {
            return Files.isRegularFile(Path.of(name));
        } catch (InvalidPathException noPath) {
            return false;
        }
    }

    private static boolean isFolder(String name) {
        try {
            return Files.isDirectory(Path.of(name));
        } catch (InvalidPathException noPath) {
            return false;
        }
    }

    /** Up to three of the candidates: of the same simple name, or nearly so; the nearest first. */
    static List<String> similar(String className, List<String> candidates) {
        String simpleName = ClassNames.simpleName(className).toLowerCase(Locale.ROOT);
        int tolerance = Math.min(2, simpleName.length() / 3);
        return candidates.stream()
                .filter(candidate -> !candidate.endsWith("-info"))
                .collect(Collectors.toMap(candidate -> candidate, candidate -> {
                    String other = ClassNames.simpleName(candidate).toLowerCase(Locale.ROOT);
                    return Math.abs(other.length() - simpleName.length()) > tolerance
                            ? Integer.MAX_VALUE
                            : Spelling.distance(simpleName, other);
                }))
                .entrySet()
                .stream()
                .filter(candidate -> candidate.getValue() <= tolerance)
                .sorted(Comparator.<Map.Entry<String, Integer>>comparingInt(Map.Entry::getValue)
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_SUGGESTIONS)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** {@code a.b.C} of {@code a/b/C.class} and the like. */
    private static String withoutFileNotation(String name) {
        String dotted = name.replace('/', '.').replace(File.separatorChar, '.');
        return dotted.endsWith(".class") ? dotted.substring(0, dotted.length() - ".class".length()) : dotted;
    }
}
