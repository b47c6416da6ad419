package org.galerna.nativeaccess.thread;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.galerna.nativeaccess.call.Platform;
import org.jspecify.annotations.Nullable;

/** The processor that a thread is running on: {@code sched_getcpu(3)}, as quick as the kernel lets it be. */
public final class Processor {
    /** What {@link #current} returns where the system does not tell. */
    public static final int UNKNOWN = -1;

    private static final @Nullable MethodHandle CALL = bind();

    private Processor() {}

    /** Number of the processor that the calling thread is running on at this moment, or {@link #UNKNOWN}. */
    public static int current() {
        if (CALL == null) {
            return UNKNOWN;
        }
        try {
            return (int) CALL.invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static @Nullable MethodHandle bind() {
        if (!Platform.isUsable()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("sched_getcpu")
                .map(address ->
                        linker.downcallHandle(address, FunctionDescriptor.of(JAVA_INT), Linker.Option.critical(false)))
                .orElse(null);
    }
}
