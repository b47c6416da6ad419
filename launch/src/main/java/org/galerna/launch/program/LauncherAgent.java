package org.galerna.launch.program;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;

/**
 * The agent that the manifest of a program's jar names as {@code Launcher-Agent-Class}: {@code java -jar} calls its
 * {@code agentmain} before it loads the main class. Here each rank does, with its own class of the agent. The JDK makes
 * the agent's instrumentation for a jar that names an agent: that is a file of a moment, which names this class.
 */
public final class LauncherAgent {
    /** System property: the program's jar, if it names an agent. */
    public static final String PROPERTY = "galerna.launcher.agent";

    /** Attribute of the manifest. */
    public static final String ATTRIBUTE = "Launcher-Agent-Class";

    /** What the agent may do, and needs. */
    private static final List<String> SETTINGS =
            List.of("Can-Redefine-Classes", "Can-Retransform-Classes", "Can-Set-Native-Method-Prefix");

    private static final String BOOT_CLASS_PATH = "Boot-Class-Path";

    // guarded by the class
    private static @Nullable Instrumentation instrumentation;

    private LauncherAgent() {}

    /** Whether the program has an agent. */
    public static boolean isPresent() {
        return System.getProperty(PROPERTY) != null;
    }

    /**
     * Calls the agent of the program, if it has one.
     *
     * @param loader of the program
     * @throws Throwable what the agent throws
     */
    public static void start(ClassLoader loader) throws Throwable {
        String jar = System.getProperty(PROPERTY);
        if (jar == null) {
            return;
        }
        Attributes manifest;
        try (JarFile file = new JarFile(jar)) {
            manifest = file.getManifest().getMainAttributes();
        }
        Instrumentation instruments = instrumentation(Path.of(jar), manifest);
        Class<?> agent = Class.forName(manifest.getValue(ATTRIBUTE).strip(), true, loader);
        try {
            call(agent, instruments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    private static void call(Class<?> agent, Instrumentation instruments) throws ReflectiveOperationException {
        Method method;
        Object[] arguments;
        try {
            method = agent.getMethod("agentmain", String.class, Instrumentation.class);
            arguments = new Object[] {"", instruments};
        } catch (NoSuchMethodException withoutInstruments) {
            method = agent.getMethod("agentmain", String.class);
            arguments = new Object[] {""};
        }
        method.setAccessible(true);
        method.invoke(null, arguments);
    }

    /** What the JDK calls, on the thread that asks for it. */
    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    private static synchronized Instrumentation instrumentation(Path jar, Attributes manifest)
            throws IOException, ReflectiveOperationException {
        Instrumentation present = instrumentation;
        if (present == null) {
            try (TemporaryFolder folder = TemporaryFolder.make("starter")) {
                Path stub = folder.path().resolve("agent.jar");
                write(stub, jar, manifest);
                Class.forName("sun.instrument.InstrumentationImpl")
                        .getMethod("loadAgent", String.class)
                        .invoke(null, stub.toString());
            }
            present = instrumentation;
        }
        if (present == null) {
            throw new IllegalStateException("the agent of " + jar + " cannot be started");
        }
        return present;
    }

    private static void write(Path stub, Path jar, Attributes ofProgram) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue(ATTRIBUTE, LauncherAgent.class.getName());
        for (String setting : SETTINGS) {
            if (ofProgram.getValue(setting) != null) {
                attributes.putValue(setting, ofProgram.getValue(setting));
            }
        }
        String bootClassPath = ofProgram.getValue(BOOT_CLASS_PATH);
        if (bootClassPath != null) {
            URI place = jar.toAbsolutePath().toUri();
            attributes.putValue(
                    BOOT_CLASS_PATH,
                    Arrays.stream(bootClassPath.trim().split("\\s+"))
                            .map(entry -> place.resolve(entry).getRawPath())
                            .collect(Collectors.joining(" ")));
        }
        try (OutputStream file = Files.newOutputStream(stub);
                JarOutputStream empty = new JarOutputStream(file, manifest)) {
            empty.finish();
        }
    }
}
