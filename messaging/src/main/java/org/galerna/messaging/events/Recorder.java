package org.galerna.messaging.events;

import jdk.jfr.FlightRecorder;
import org.galerna.messaging.MessagingException;
import org.jspecify.annotations.Nullable;

/** Flight Recorder, which a runtime image may be without. Classes of events are loaded when somebody records. */
final class Recorder {
    private static volatile boolean missing;

    private Recorder() {}

    private static boolean records() {
        if (missing) {
            return false;
        }
        try {
            return FlightRecorder.isInitialized();
        } catch (LinkageError none) {
            missing = true;
            return false;
        }
    }

    static void request(int node, int peer, long nanos, @Nullable MessagingException failure) {
        if (records()) {
            if (failure == null) {
                SlowRequestEvent.commit(node, peer, nanos);
            } else {
                FailedRequestEvent.commit(node, peer, nanos, failure);
            }
        }
    }

    static void joined(int node, int peer, String link) {
        if (records()) {
            NodeJoinedEvent.commit(node, peer, link);
        }
    }

    static void left(int node, int peer, String reason, long unconfirmed) {
        if (records()) {
            NodeLeftEvent.commit(node, peer, reason, unconfirmed);
        }
    }

    static void refused(int node, String caller, String why) {
        if (records()) {
            KeyRefusedEvent.commit(node, caller, why);
        }
    }
}
