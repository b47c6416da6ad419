package org.galerna.sockets.pipe;

/** What a thread waits for. */
@FunctionalInterface
public interface WaitCondition {
    /** Whether it need not wait any more. */
    boolean holds();

    /** The thread sleeps soon, and looks once more before. */
    default void willSleep() {}
}
