package org.galerna.testkit.memdev;

import org.jspecify.annotations.Nullable;

/** Elements in the order in which they came, which can be taken out of the middle. An element is in one queue at a time. */
final class Queue<E extends Queue.Element<E>> {
    private @Nullable E first;
    private @Nullable E last;

    /** Something that can be queued; linked by itself, so that queueing allocates nothing. */
    interface Element<E> {
        Links<E> links();
    }

    /** The neighbours of an element. */
    static final class Links<E> {
        private @Nullable E before;
        private @Nullable E after;
        private boolean queued;
    }

    @Nullable
    E first() {
        return first;
    }

    @Nullable
    E after(E element) {
        return element.links().after;
    }

    /** Whether an element that is in this queue or in none is in it. */
    boolean has(E element) {
        return element.links().queued;
    }

    void add(E element) {
        Links<E> links = element.links();
        links.before = last;
        links.after = null;
        links.queued = true;
        if (last == null) {
            first = element;
        } else {
            last.links().after = element;
        }
        last = element;
    }

    @Nullable
    E poll() {
        E element = first;
        if (element != null) {
            remove(element);
        }
        return element;
    }

    /** Takes an element out that is in this queue or in none; false if it is in none. */
    boolean remove(E element) {
        Links<E> links = element.links();
        if (!links.queued) {
            return false;
        }
        links.queued = false;
        E before = links.before;
        E after = links.after;
        if (before == null) {
            first = after;
        } else {
            before.links().after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.links().before = before;
        }
        return true;
    }
}
