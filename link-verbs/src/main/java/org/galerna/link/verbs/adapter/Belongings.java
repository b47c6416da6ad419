package org.galerna.link.verbs.adapter;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is closed together, the last one first, as what an adapter has given wants it. One thread's at a time. */
final class Belongings implements AutoCloseable {
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();

    /** Has something closed with this, before what was kept earlier. */
    <T extends AutoCloseable> T keep(T part) {
        kept.push(part);
        return part;
    }

    /** Idempotent. */
    @Override
    public void close() {
        while (!kept.isEmpty()) {
            try {
                kept.pop().close();
            } catch (Exception impossible) { // none of them throws
                throw new IllegalStateException(impossible);
            }
        }
    }
}
