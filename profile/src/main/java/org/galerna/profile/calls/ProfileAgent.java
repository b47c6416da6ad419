package org.galerna.profile.calls;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import org.galerna.profile.ProfileSettings;
import org.jspecify.annotations.Nullable;

/** Changes the classes of a program that the JVM itself loads, where the rank is a process: the {@code Premain-Class} of an agent. */
public final class ProfileAgent {
    /** What is never changed: Galerna itself. Its applications are programs like others. */
    private static final List<String> GALERNA = List.of(
            "mpi/",
            "mpjdev/",
            "mpjbuf/",
            "xdev/",
            "org/galerna/collectives/",
            "org/galerna/device/",
            "org/galerna/launch/",
            "org/galerna/link/",
            "org/galerna/memory/",
            "org/galerna/mpi/",
            "org/galerna/mpj/",
            "org/galerna/nativeaccess/",
            "org/galerna/profile/",
            "org/galerna/ranks/",
            "org/galerna/shaded/");

    private ProfileAgent() {}

    /** Called by the JVM before the program begins. */
    public static void premain(String options, Instrumentation instrumentation) {
        if (ProfileSettings.folder().isPresent()) {
            instrumentation.addTransformer(new Transformer());
        }
    }

    private static final class Transformer implements ClassFileTransformer {
        private final CallRewriter rewriter = new CallRewriter();

        @Override
        public byte @Nullable [] transform(
                @Nullable Module module,
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] classFile) {
            if (loader == null
                    || loader == ClassLoader.getPlatformClassLoader()
                    || name == null
                    || GALERNA.stream().anyMatch(name::startsWith)) {
                return null;
            }
            byte[] changed = rewriter.rewrite(classFile);
            return changed == classFile ? null : changed;
        }
    }
}
