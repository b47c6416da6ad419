package org.galerna.sockets;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Objects;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Starts a program with fast sockets and no option of Java at all: {@code java -jar galerna-sockets-agent.jar app.jar}.
 * Java runs {@link #agentmain} before {@link #main}, because the jar names this class as its agent.
 */
public final class Launcher {
    private static @Nullable Instrumentation instrumentation;

    private Launcher() {}

    /** What Java calls before the main method of the jar that this is in. */
    public static void agentmain(@Nullable String options, Instrumentation given) {
        instrumentation = given;
        Agent.agentmain(options, given);
    }

    /**
     * Runs the program in a jar.
     *
     * @param arguments the jar, then what the program is to get
     * @throws Throwable whatever the program throws
     */
    public static void main(String[] arguments) throws Throwable {
        if (arguments.length == 0 || instrumentation == null) {
            throw new IllegalArgumentException("say which program: java -jar galerna-sockets-agent.jar <app.jar> …");
        }
        String main = mainClass(arguments[0], instrumentation);
        try {
            Class.forName(main, true, ClassLoader.getSystemClassLoader())
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException thrown) {
            throw Objects.requireNonNull(thrown.getCause());
        }
    }

    private static String mainClass(String path, Instrumentation instrumentation) throws IOException {
        JarFile jar = new JarFile(new File(path)); // stays open: classes are read from it
        String main = jar.getManifest() == null
                ? null
                : jar.getManifest().getMainAttributes().getValue("Main-Class");
        if (main == null) {
            jar.close();
            throw new IllegalArgumentException(path + " does not name its main class");
        }
        instrumentation.appendToSystemClassLoaderSearch(jar);
        return main.strip();
    }
}
