package org.galerna.link.events;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.galerna.link.Collective;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/** A call that has slept. */
@Name("org.galerna.Wait")
@Label("Blocked Call")
@Category({"Galerna", "Waits"})
@Description("A call that has slept until something came")
@StackTrace
@Threshold("20 ms")
final class Wait extends PeerEvent {
    @Label("Call")
    @Description("Kind of call: receive, send, probe, any of several, collective")
    String call = "";

    @Label("Operation")
    String operation = "";

    @Label("Collective")
    @Description("The collective operation that it is a part of")
    String collective = "";

    static @Nullable Object start() {
        return begun(new Wait());
    }

    static void commit(
            Object begun,
            int rank,
            int peer,
            WaitKind kind,
            Supplier<String> operation,
            Supplier<@Nullable Collective> called) {
        Wait event = (Wait) begun;
        event.end();
        if (event.shouldCommit()) {
            event.between(rank, peer);
            event.call = kind.word();
            Collective collective = called.get();
            event.operation = operation.get();
            event.collective = collective == null ? "" : collective.describe();
            event.commit();
        }
    }
}
