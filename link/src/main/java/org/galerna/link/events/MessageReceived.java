package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A message that is received. */
@Name("org.galerna.MessageReceived")
@Label("Message Received")
@Category({"Galerna", "Messages"})
@Description("A message, from the receive until it is there")
@Enabled(false)
final class MessageReceived extends MessageEvent {

    static @Nullable Object start() {
        return begun(new MessageReceived());
    }

    static boolean isWanted() {
        return new MessageReceived().isEnabled();
    }
}
