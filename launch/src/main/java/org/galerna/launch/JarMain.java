package org.galerna.launch;

import java.util.Arrays;
import org.galerna.launch.program.LauncherAgent;
import org.galerna.launch.program.MainMethod;

/**
 * Main class of a process that a job manager starts for a jar that names an agent: starts the agent, and then the main
 * class, which the first argument names.
 */
public final class JarMain {
    private JarMain() {}

    /** Runs the program. */
    public static void main(String[] arguments) throws Throwable {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        LauncherAgent.start(loader);
        MainMethod.run(Class.forName(arguments[0], false, loader), Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
