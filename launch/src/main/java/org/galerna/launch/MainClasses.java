package org.galerna.launch;

import java.io.IOException;
import java.util.Optional;
import org.galerna.launch.program.ClassNames;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.program.NearMisses;

/** Whether main classes are there, before a virtual machine starts that would say it at greater length. */
public final class MainClasses {
    private MainClasses() {}

    /**
     * What is wrong with a main class, in one sentence; empty if it is there.
     *
     * @param classPath as {@code java -cp} takes it
     */
    public static Optional<String> complaint(String mainClass, String classPath) {
        String resource = ClassNames.toResource(mainClass.replace('/', '.'));
        if (ClassLoader.getSystemResource(resource) != null) {
            return Optional.empty();
        }
        try (ClassPath classes = ClassPath.open(ClassPath.parse(classPath))) {
            return classes.find(resource).isEmpty()
                    ? Optional.of(NearMisses.describe(mainClass, classes))
                    : Optional.empty();
        } catch (IOException unclosable) {
            return Optional.empty(); // java says what it thinks of it
        }
    }
}
