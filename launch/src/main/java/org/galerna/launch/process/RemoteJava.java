package org.galerna.launch.process;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import org.galerna.launch.GalernaPath;

/**
 * Which Java an agent of another host is started with.
 *
 * @param program path of the program {@code java} there
 * @param exactly whether no other one will do
 * @param classPath Galerna's own
 */
record RemoteJava(String program, boolean exactly, String classPath) {
    /**
     * The Java that the user has named, or the same as here.
     *
     * @param named a program or the home of a JDK
     * @throws LaunchException if a path has a line feed in it
     */
    static RemoteJava of(Optional<Path> named) {
        Path program = named.map(path -> path.endsWith("java") ? path : path.resolve("bin", "java"))
                .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java"));
        RemoteJava java = new RemoteJava(program.toString(), named.isPresent(), GalernaPath.classPath());
        if ((java.program + java.classPath).contains("\n")) {
            throw new LaunchException("a path with a line feed in it cannot be used on another host: " + program);
        }
        return java;
    }

    /** What the remote shell reads: the program, whether another will do, a file to look for, and the class path. */
    String lines() {
        String first = classPath.split(File.pathSeparator, 2)[0];
        return program + "\n" + (exactly ? "this" : "any") + "\n" + first + "\n" + classPath + "\n";
    }
}
