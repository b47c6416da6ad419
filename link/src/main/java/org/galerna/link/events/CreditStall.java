package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A message that is announced for lack of credit. */
@Name("org.galerna.CreditStall")
@Label("Credit Stall")
@Category({"Galerna", "Messages"})
@Description(
        "A short message that had to be announced, because its receiver had too many unread; until that has fetched it")
@Threshold("1 ms")
final class CreditStall extends MessageEvent {

    static @Nullable Object start() {
        return begun(new CreditStall());
    }
}
