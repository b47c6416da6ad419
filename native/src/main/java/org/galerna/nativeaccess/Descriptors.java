package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Flags of file descriptors that libraries hand out. Linux only. */
public final class Descriptors {
    private static final int GET_FLAGS = 3; // F_GETFL
    private static final int SET_FLAGS = 4; // F_SETFL
    private static final int DO_NOT_BLOCK = 0x800; // O_NONBLOCK

    @SuppressWarnings("restricted") // the one purpose of this module
    private static final MethodHandle FCNTL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("fcntl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));

    private Descriptors() {}

    /** Has calls on the descriptor return at once when they would have to wait. */
    public static void doNotBlock(int descriptor) {
        try {
            int flags = (int) FCNTL.invokeExact(descriptor, GET_FLAGS, 0);
            if (flags < 0 || (int) FCNTL.invokeExact(descriptor, SET_FLAGS, flags | DO_NOT_BLOCK) < 0) {
                throw new IllegalArgumentException(descriptor + " is no open file descriptor");
            }
        } catch (IllegalArgumentException wrong) {
            throw wrong;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
