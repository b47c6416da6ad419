package org.galerna.profile.calls;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.galerna.link.process.GalernaClasses;
import org.galerna.profile.ProfileSettings;
import org.jspecify.annotations.Nullable;

/** Changes the classes of a program that the JVM itself loads, where the rank is a process: the {@code Premain-Class} of an agent. */
public final class ProfileAgent {
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
                    || isGalernas(name.replace('/', '.'))) {
                return null;
            }
            byte[] changed = rewriter.rewrite(classFile);
            return changed == classFile ? null : changed;
        }

        /** Whether it is what the program calls, or below that. */
        private static boolean isGalernas(String className) {
            return GalernaClasses.isInside(className) || GalernaClasses.isApi(className);
        }
    }
}
