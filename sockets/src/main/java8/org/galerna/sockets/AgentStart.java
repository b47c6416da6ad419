package org.galerna.sockets;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * What Java starts as the agent, compiled for Java 8: an older Java than Galerna needs says so in one line and runs the
 * program with plain sockets, where it would end over a class of a version that it does not know. Newer ones go on with
 * {@code Agent}.
 */
public final class AgentStart {
    private static final int JAVA_NEEDED = 25;
    private static final String AGENT = "org.galerna.sockets.Agent";

    private AgentStart() {}

    /** Before the program. */
    public static void premain(String options, Instrumentation instrumentation) {
        start("premain", options, instrumentation);
    }

    /** While the program runs. */
    public static void agentmain(String options, Instrumentation instrumentation) {
        start("agentmain", options, instrumentation);
    }

    private static void start(String method, String options, Instrumentation instrumentation) {
        String version = System.getProperty("java.specification.version");
        if (isTooOld(version)) {
            System.err.println("galerna: sockets stay plain: this is Java " + version + ", and fast sockets need Java "
                    + JAVA_NEEDED + " or newer; start the program with a newer Java, or without the agent");
            return;
        }
        try {
            Class.forName(AGENT)
                    .getMethod(method, String.class, Instrumentation.class)
                    .invoke(null, options, instrumentation);
        } catch (ReflectiveOperationException | LinkageError cannot) {
            // an agent that throws ends the virtual machine
            Throwable cause = cannot instanceof InvocationTargetException ? cannot.getCause() : cannot;
            System.err.println("galerna: sockets stay plain: " + cause);
        }
    }

    /**
     * Opens packages of the platform to classes without a module, as the manifest of an executable jar asks for.
     *
     * @param exports such as {@code java.base/sun.nio.ch java.base/sun.net}; null for none
     * @param opens the same, for reflection
     */
    static void open(String exports, String opens, Instrumentation instrumentation) {
        if (isTooOld(System.getProperty("java.specification.version")) || (exports == null && opens == null)) {
            return;
        }
        try {
            Class.forName(AGENT)
                    .getMethod("open", String.class, String.class, Instrumentation.class)
                    .invoke(null, exports, opens, instrumentation);
        } catch (ReflectiveOperationException | LinkageError cannot) {
            Throwable cause = cannot instanceof InvocationTargetException ? cannot.getCause() : cannot;
            System.err.println("galerna: packages stay closed: " + cause);
        }
    }

    private static boolean isTooOld(String version) {
        try {
            return Integer.parseInt(version) < JAVA_NEEDED;
        } catch (NumberFormatException before9) {
            return true; // such as 1.8
        }
    }

    /** Ends the virtual machine because there is no program to run, and says why; does not return. */
    static RuntimeException end(String why) {
        System.err.println("galerna: " + why);
        System.exit(1);
        return new IllegalStateException(why);
    }
}
