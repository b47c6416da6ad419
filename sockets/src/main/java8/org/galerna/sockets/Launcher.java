package org.galerna.sockets;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Starts a program with fast sockets and no option of Java at all: {@code java -jar galerna-sockets-agent.jar app.jar}.
 * Java calls {@link #agentmain} first, because the jar names this class as its agent, and grants native access, which the
 * jar asks for, only after that. So {@link #main} starts the agent.
 */
public final class Launcher {
    private static Instrumentation instrumentation;

    private Launcher() {}

    /** What Java calls before the main method of the jar that this is in. */
    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    /**
     * Runs the program in a jar.
     *
     * @param arguments the jar, then what the program is to get
     * @throws Throwable whatever the program throws
     */
    public static void main(String[] arguments) throws Throwable {
        if (arguments.length == 0) {
            throw AgentStart.end("say which program: java -jar galerna-sockets-agent.jar <app.jar> [<argument> ...]");
        }
        if (instrumentation == null) {
            throw AgentStart.end("this Java does not start the agent of a jar, which needs Java 9 or newer with module "
                    + "java.instrument; start the program without: java -jar " + arguments[0]);
        }
        AgentStart.agentmain(null, instrumentation);
        Class<?> program = program(arguments[0]);
        try {
            program.getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } catch (NoSuchMethodException none) {
            throw AgentStart.end("the main class of " + arguments[0] + " has no method main(String[])");
        }
    }

    private static Class<?> program(String path) {
        try {
            JarFile jar = new JarFile(new File(path)); // stays open: classes are read from it
            Manifest manifest = jar.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String main = attributes.getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw AgentStart.end(path + " does not name its main class");
            }
            AgentStart.open(
                    attributes.getValue("Add-Exports"), attributes.getValue("Add-Opens"), instrumentation);
            instrumentation.appendToSystemClassLoaderSearch(jar);
            // a program that starts others of its kind looks there
            System.setProperty("java.class.path", path + File.pathSeparator + System.getProperty("java.class.path"));
            return Class.forName(main.trim(), true, ClassLoader.getSystemClassLoader());
        } catch (IOException unreadable) {
            throw AgentStart.end("cannot read " + path + ": " + unreadable.getMessage());
        } catch (ClassNotFoundException missing) {
            throw AgentStart.end("the main class of " + path + " is not in it: " + missing.getMessage());
        }
    }
}
