package org.galerna.link.support;

import org.galerna.nativeaccess.file.DescriptorWait;

/**
 * Where the threads of a rank sleep whose leader sleeps at the descriptor of a {@link Source}, such as a channel of completions.
 *
 * <p>Argument for no lost wake-up, with that of {@link LeaderWaiter}. A thread that announces its sleep has the {@linkplain
 * Source#prepare source prepared} before its last look, so what it has not seen makes the descriptor readable, and it stays
 * so until a leader takes note of that, who then rings for all, or until somebody else takes what has come, who then wakes all.
 */
public final class DescriptorWaiter extends LeaderWaiter {
    /** Where the system tells that something may have come. */
    public interface Source {
        /** Readable when something may have come. */
        int descriptor();

        /** Somebody is about to look for the last time: what he does not see has to make the descriptor readable. */
        default void prepare() {}

        /** Whether it is right to sleep; if not, whoever wanted to looks again. */
        default boolean maySleep() {
            return true;
        }

        /** The descriptor was readable. */
        default void woken() {}
    }

    private final Source source;
    private final DescriptorWait wait;

    /**
     * Nobody sleeps.
     *
     * @param name that of a thread of its own begins with
     */
    public DescriptorWaiter(String name, Source source) {
        super(name);
        this.source = source;
        this.wait = new DescriptorWait(source.descriptor());
    }

    @Override
    public void prepare() {
        super.prepare();
        if (!isClosed()) {
            source.prepare();
        }
    }

    @Override
    protected void lead(long nanos) {
        if (source.maySleep() && wait.await(nanos) != 0) {
            source.woken();
        }
    }

    @Override
    protected void wakeLeader() {
        wait.wakeUp();
    }

    @Override
    protected void release() {
        wait.close();
    }
}
