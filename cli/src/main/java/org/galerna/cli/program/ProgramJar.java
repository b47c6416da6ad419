package org.galerna.cli.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaJvm;
import org.jspecify.annotations.Nullable;

/**
 * A jar that names its main class, with what {@code java -jar} obeys in its manifest.
 *
 * @param jvmOptions what a virtual machine has to be told that is not started with {@code -jar}
 * @param hasAgent whether an agent is to be started before the main class
 */
public record ProgramJar(String mainClass, List<String> jvmOptions, boolean hasAgent) {
    private static final String NATIVE_ACCESS = "Enable-Native-Access";
    private static final String ALL_UNNAMED = "ALL-UNNAMED";

    public static ProgramJar read(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new UsageException(
                    Files.isDirectory(jar)
                            ? jar + " is a folder, not a jar"
                            : "there is no jar " + jar.toAbsolutePath());
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String name = attributes.getValue(Attributes.Name.MAIN_CLASS);
            if (name == null) {
                throw new UsageException(
                        jar + " names no main class (Main-Class in its manifest); name it: -cp " + jar + " CLASS");
            }
            boolean hasAgent = attributes.getValue(GalernaJvm.AGENT_ATTRIBUTE) != null;
            return new ProgramJar(name.strip(), options(jar, attributes, hasAgent), hasAgent);
        } catch (IOException unreadable) {
            throw new UsageException(jar + " is not a jar: " + unreadable.getMessage());
        }
    }

    private static List<String> options(Path jar, Attributes manifest, boolean hasAgent) {
        List<String> options = new ArrayList<>();
        addPackages(manifest.getValue("Add-Exports"), "--add-exports=", options);
        addPackages(manifest.getValue("Add-Opens"), "--add-opens=", options);
        String nativeAccess = manifest.getValue(NATIVE_ACCESS);
        if (nativeAccess != null && !nativeAccess.strip().equals(ALL_UNNAMED)) {
            throw new UsageException(jar + ": the manifest says " + NATIVE_ACCESS + ": " + nativeAccess
                    + ", where it can say only " + ALL_UNNAMED);
        }
        if (hasAgent) {
            options.addAll(GalernaJvm.agentOptions(jar));
        }
        return options;
    }

    /** As {@code java -jar} does, passes over packages that the JDK does not have. */
    private static void addPackages(@Nullable String packages, String option, List<String> to) {
        if (packages == null) {
            return;
        }
        for (String each : packages.strip().split("\\s+")) {
            String[] parts = each.split("/", 2);
            Optional<Module> module =
                    parts.length < 2 ? Optional.empty() : ModuleLayer.boot().findModule(parts[0]);
            if (module.isPresent() && module.get().getPackages().contains(parts[1])) {
                to.add(option + each + "=" + ALL_UNNAMED);
            }
        }
    }
}
