package org.galerna.cli;

import java.lang.reflect.InvocationTargetException;

/**
 * What {@code java -jar galerna.jar} starts, compiled for Java 8: an older Java than Galerna needs says so in one line,
 * where it would complain of a class of a version that it does not know. Newer ones go on with {@code Main}.
 */
public final class Start {
    private static final int JAVA_NEEDED = 25;
    private static final int USAGE = 2;
    private static final String MAIN = "org.galerna.cli.Main";

    private Start() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws Throwable {
        String version = System.getProperty("java.specification.version");
        if (isTooOld(version)) {
            System.err.println("galerna: this is Java " + version + " (" + System.getProperty("java.home")
                    + "), and Galerna needs Java " + JAVA_NEEDED
                    + " or newer: start it with the java of a newer JDK, or with the script galerna, which looks for one");
            System.exit(USAGE);
        }
        try {
            Class.forName(MAIN).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static boolean isTooOld(String version) {
        try {
            return Integer.parseInt(version) < JAVA_NEEDED;
        } catch (NumberFormatException before9) {
            return true; // such as 1.8
        }
    }
}
