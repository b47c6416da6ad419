package org.galerna.launch;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where Galerna's own classes are, for those who start another JVM with them. */
public final class GalernaPath {
    private static final String JAR = "galerna.jar";

    private GalernaPath() {}

    /** Whether it is the one jar, which is a module if it is on a module path. Others have put Galerna's classes into jars of their own. */
    public static boolean isModule() {
        return classPath().endsWith(JAR);
    }

    /** The one jar, or the folders and jars of a build, in the form of {@code java -cp}. */
    public static String classPath() {
        try {
            Path own = Path.of(GalernaPath.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (own.toString().endsWith(JAR)) {
                return own.toString();
            }
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            throw new IllegalStateException("Galerna's classes are not in a file or folder", notAFile);
        }
        String modules = System.getProperty("jdk.module.path", "");
        String classes = System.getProperty("java.class.path", "");
        return modules.isEmpty() || classes.isEmpty() ? modules + classes : classes + File.pathSeparator + modules;
    }
}
