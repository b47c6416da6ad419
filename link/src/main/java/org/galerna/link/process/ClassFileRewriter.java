package org.galerna.link.process;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import org.galerna.link.Extensions;

/**
 * Changes the class files of a program before its ranks load them, to watch what they call. Found by {@link ServiceLoader};
 * one that {@link #isWanted} costs a job nothing but the look for it.
 */
public interface ClassFileRewriter {
    /** Whether the settings of this process ask for it. */
    boolean isWanted();

    /**
     * A class file in place of another one. Any thread may call.
     *
     * @return the changed class file; {@code classFile} itself if there is nothing to change
     */
    byte[] rewrite(byte[] classFile);

    /** What the settings of this process do to class files: one after the other. */
    static UnaryOperator<byte[]> wanted() {
        List<ClassFileRewriter> wanted = Extensions.providers(ClassFileRewriter.class)
                .filter(ClassFileRewriter::isWanted)
                .toList();
        return bytes -> {
            byte[] changed = bytes;
            for (ClassFileRewriter each : wanted) {
                changed = each.rewrite(changed);
            }
            return changed;
        };
    }
}
