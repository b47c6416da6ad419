package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** An announced message. */
@Name("org.galerna.Rendezvous")
@Label("Rendezvous")
@Category({"Galerna", "Messages"})
@Description("A long message, from its announcement until the receiver has fetched it")
@Threshold("10 ms")
final class Rendezvous extends MessageEvent {

    static @Nullable Object start() {
        return begun(new Rendezvous());
    }
}
