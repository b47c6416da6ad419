package org.galerna.nativeaccess.ofi;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Endpoints whose memory others of this process use without a mapping of their own, as those of the provider {@code shm} do: what
 * one of them owns is freed only when all those are closed that were open when it was, since any of them may be about to send to
 * it, or find what it sent before. Any thread may call.
 */
final class Departures {
    private static final Set<Object> OPEN = new HashSet<>(); // guarded by the class, as the next one
    private static final List<Departure> WAITING = new ArrayList<>();

    private Departures() {}

    /** One that is closed, and those that have to be before it is freed. */
    private record Departure(Set<Object> others, Runnable free) {}

    static synchronized void opened(Object endpoint) {
        OPEN.add(endpoint);
    }

    /**
     * An endpoint is used no more.
     *
     * @param free frees what it owns; called once, by the thread that closes the last one that may use it
     */
    static synchronized void closed(Object endpoint, Runnable free) {
        OPEN.remove(endpoint);
        WAITING.add(new Departure(new HashSet<>(OPEN), free));
        for (Iterator<Departure> each = WAITING.iterator(); each.hasNext(); ) {
            Departure departure = each.next();
            departure.others.remove(endpoint);
            if (departure.others.isEmpty()) {
                each.remove();
                departure.free.run();
            }
        }
    }
}
