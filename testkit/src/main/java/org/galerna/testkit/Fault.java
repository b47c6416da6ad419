package org.galerna.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which faults a test shows to be survived, by their numbers in {@code docs/faults.md}. The page is written from
 * these annotations by a test of the module {@code architecture-tests}, which reads the sources: the annotation stands on
 * the method, or on the class if all of its tests are meant.
 */
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Fault {
    /** Numbers of the faults. */
    int[] value();

    /** Where that is shown; by default what the test's module is for, and for a contract all that keep it. */
    Where[] on() default {};

    /** What can be hit by a fault. */
    enum Where {
        /** Ranks that are threads of one JVM. */
        THREADS,
        /** Ranks that are processes and share memory. */
        SHM,
        /** Ranks that talk over sockets. */
        TCP,
        /** Ranks that talk over adapters for InfiniBand, RoCE and iWARP. */
        VERBS,
        /** Ranks that talk over UCX. */
        UCX,
        /** The link over libfabric. */
        OFI,
        /** Starting ranks, and letting them meet. */
        LAUNCH
    }
}
