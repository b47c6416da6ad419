package org.galerna.messaging.service;

import java.time.Duration;
import java.util.List;
import org.galerna.messaging.Handling;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Requester;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;

/** Asks a handler of another node to answer. */
public final class Checks {
    private static final int FIRST = TypeTable.FIRST_INTERNAL_ID + 9;

    /** Are you there? */
    record Ping() {}

    /** Yes. */
    record Pong() {}

    private static final WireType<Ping> PING =
            new WireType<>(FIRST, 0, Ping.class, RecordSerializer.of(Ping.class), null);
    private static final WireType<Pong> PONG =
            new WireType<>(FIRST + 1, 0, Pong.class, RecordSerializer.of(Pong.class), null);

    private Checks() {}

    /** The types of question and answer. */
    public static List<WireType<?>> types() {
        return List.of(PING, PONG);
    }

    /** What answers. */
    public static Registration<?> receiver() {
        return new Registration<>(PING, Handling.CONCURRENT, (_, from) -> from.respond(new Pong()));
    }

    /** Asks a node; returns how long the answer took. */
    public static Duration check(Requester requester, int node, Duration limit) {
        long begin = System.nanoTime();
        Pong ignored = requester.request(node, new Ping(), Pong.class, limit);
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
