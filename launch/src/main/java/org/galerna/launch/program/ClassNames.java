package org.galerna.launch.program;

/** The two spellings of a class name: {@code org.example.Main} and {@code org/example/Main.class}. */
public final class ClassNames {
    private static final String SUFFIX = ".class";

    private ClassNames() {}

    /** {@code org/example/Main.class} of {@code org.example.Main}. */
    public static String toResource(String className) {
        return className.replace('.', '/') + SUFFIX;
    }

    /** {@code org.example.Main} of {@code org/example/Main.class}. */
    static String ofResource(String resource) {
        return resource.substring(0, resource.length() - SUFFIX.length()).replace('/', '.');
    }

    /** {@code org.example} of {@code org.example.Main}; empty for the unnamed package. */
    public static String packageOf(String className) {
        int dot = className.lastIndexOf('.');
        return dot < 0 ? "" : className.substring(0, dot);
    }

    /** {@code Main} of {@code org.example.Main}. */
    static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
