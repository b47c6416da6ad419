package org.galerna.link.events;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** The part of a rank in a collective. */
@Name("org.galerna.Collective")
@Label("Collective")
@Category({"Galerna", "Waits"})
@Description("A collective operation that blocks and has taken long")
@StackTrace
@Threshold("20 ms")
final class CollectiveCall extends Event {
    @Label("Rank")
    int rank;

    @Label("Ranks")
    @Description("Number of ranks that take part")
    int ranks;

    @Label("Name")
    String name = "";

    @Label("Algorithm")
    String algorithm = "";

    @Label("Root")
    @Description("The rank of the root in the communicator, or -1")
    int root;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Communicator")
    int communicator;

    @Label("Number")
    @Description("Which collective on the communicator it is; the same on all ranks")
    long number;

    static @Nullable Object start() {
        CollectiveCall event = new CollectiveCall();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void commit(Object begun, int rank, int ranks, String algorithm, Supplier<Collective> called) {
        CollectiveCall event = (CollectiveCall) begun;
        event.end();
        if (event.shouldCommit()) {
            Collective collective = called.get();
            event.rank = rank;
            event.ranks = ranks;
            event.name = collective.name();
            event.algorithm = algorithm;
            event.root = collective.root();
            event.bytes = Math.max(0, collective.bytes());
            event.communicator = collective.communicator();
            event.number = collective.number();
            event.commit();
        }
    }
}
