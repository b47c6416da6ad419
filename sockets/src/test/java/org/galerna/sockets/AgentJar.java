package org.galerna.sockets;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.galerna.testkit.process.ChildProcess;

/**
 * The agent, as tests give it to Java before the artifact is packaged: a jar with the manifest of the artifact, whose
 * classes Java finds on the class path.
 */
final class AgentJar {
    private static final Path JAR = make();

    private AgentJar() {}

    private static Path make() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Premain-Class", Agent.START);
        manifest.getMainAttributes().putValue("Agent-Class", Agent.START);
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "org.galerna.sockets.Launcher");
        manifest.getMainAttributes().putValue("Launcher-Agent-Class", "org.galerna.sockets.Launcher");
        manifest.getMainAttributes().putValue("Enable-Native-Access", "ALL-UNNAMED");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
        return withManifest(manifest);
    }

    /** A jar that has nothing but a manifest. */
    static Path withManifest(Manifest manifest) {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try {
            Path jar = Files.createTempFile("galerna-agent", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream file = Files.newOutputStream(jar)) {
                new JarOutputStream(file, manifest).close();
            }
            return jar;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Where the agent's classes are, for a Java that is given nothing but the jar. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
    }

    /** The jar, which only this user can read. */
    static Path path() {
        return JAR;
    }

    /** The options that have a JVM start with the agent. */
    static List<String> options(String agentOptions, String... others) {
        List<String> options = new ArrayList<>(List.of(others));
        options.add("--enable-native-access=ALL-UNNAMED");
        options.add("-javaagent:" + JAR + "=" + agentOptions);
        return options;
    }

    /** Starts a program with the agent. */
    static ChildProcess start(Class<?> main, String agentOptions, String... arguments) {
        return ChildProcess.start(ChildProcess.java(options(agentOptions), main, List.of(arguments)));
    }

    /** Starts a program without. */
    static ChildProcess startPlain(Class<?> main, String... arguments) {
        return ChildProcess.start(ChildProcess.java(List.of(), main, List.of(arguments)));
    }
}
