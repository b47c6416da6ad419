package org.galerna.messaging.events;

import org.galerna.link.events.FlightEvents;
import org.galerna.messaging.MessagingException;
import org.jspecify.annotations.Nullable;

/** Flight Recorder; see {@link FlightEvents}. */
final class Recorder {
    private Recorder() {}

    static void request(int node, int peer, long nanos, @Nullable MessagingException failure) {
        if (FlightEvents.areRecorded()) {
            if (failure == null) {
                SlowRequestEvent.commit(node, peer, nanos);
            } else {
                FailedRequestEvent.commit(node, peer, nanos, failure);
            }
        }
    }

    static void joined(int node, int peer, String link) {
        if (FlightEvents.areRecorded()) {
            NodeJoinedEvent.commit(node, peer, link);
        }
    }

    static void left(int node, int peer, String reason, long unconfirmed) {
        if (FlightEvents.areRecorded()) {
            NodeLeftEvent.commit(node, peer, reason, unconfirmed);
        }
    }

    static void limit(int node, int peer, String limit) {
        if (FlightEvents.areRecorded()) {
            LimitReachedEvent.commit(node, peer, limit);
        }
    }

    static void refused(int node, String caller, String why) {
        if (FlightEvents.areRecorded()) {
            KeyRefusedEvent.commit(node, caller, why);
        }
    }
}
