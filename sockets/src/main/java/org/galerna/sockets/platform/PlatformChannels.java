package org.galerna.sockets.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.Channel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Optional;

/**
 * The platform's own channels: what is below the fast ones, and what is selected together with them.
 *
 * <p>Needs the package {@code sun.nio.ch} to be open to this module, which the agent sees to. Where it is not, there are the
 * platform's channels all the same, and nothing is known of their descriptors.
 */
public final class PlatformChannels {
    private static final String PACKAGE = "sun.nio.ch";

    private PlatformChannels() {}

    /** Found only where somebody asks for it. */
    private static final class Inside {
        static final Class<?> SELECTABLE;
        static final SelectorProvider PROVIDER;
        static final MethodHandle DESCRIPTOR;
        static final MethodHandle KILL;

        static {
            try {
                Class<?> source = Class.forName(PACKAGE + ".DefaultSelectorProvider");
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(source, MethodHandles.lookup());
                SELECTABLE = Class.forName(PACKAGE + ".SelChImpl");
                MethodHandle provider = lookup.unreflect(source.getMethod("get"));
                PROVIDER = (SelectorProvider) provider.invoke();
                DESCRIPTOR = lookup.findVirtual(SELECTABLE, "getFDVal", MethodType.methodType(int.class))
                        .asType(MethodType.methodType(int.class, Channel.class));
                KILL = lookup.findVirtual(SELECTABLE, "kill", MethodType.methodType(void.class))
                        .asType(MethodType.methodType(void.class, Channel.class));
            } catch (Throwable notOpen) {
                throw new IllegalStateException(notOpen);
            }
        }
    }

    /** Why the platform's channels cannot be wrapped here, with what to do; empty if they can. */
    public static Optional<String> obstacle() {
        try {
            return Inside.PROVIDER == null ? Optional.of("the platform has no channels") : Optional.empty();
        } catch (IllegalStateException | LinkageError notOpen) {
            return Optional.of("the platform's channels are closed to others: start Java with "
                    + "-javaagent:<galerna-sockets.jar>, or with --add-opens java.base/" + PACKAGE + "=ALL-UNNAMED");
        }
    }

    /** What makes the platform's channels; the one that is in force where the platform's own is out of reach. */
    public static SelectorProvider provider() {
        return obstacle().isEmpty() ? Inside.PROVIDER : SelectorProvider.provider();
    }

    /** Whether it is one of the platform's channels that can be selected. */
    public static boolean isSelectable(Channel channel) {
        return Inside.SELECTABLE.isInstance(channel);
    }

    /** The system's number of a channel of the platform. */
    public static int descriptor(Channel channel) {
        try {
            return (int) Inside.DESCRIPTOR.invokeExact(channel);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Gives the system back what a channel still holds that was closed while it was registered with a selector. */
    public static void release(Channel channel) {
        try {
            Inside.KILL.invokeExact(channel);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
