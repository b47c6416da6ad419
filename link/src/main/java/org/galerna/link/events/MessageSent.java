package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A message that is sent. */
@Name("org.galerna.MessageSent")
@Label("Message Sent")
@Category({"Galerna", "Messages"})
@Description("A message, from the call that sends it until its buffer may be changed")
@Enabled(false)
final class MessageSent extends MessageEvent {

    static @Nullable Object start() {
        return begun(new MessageSent());
    }

    static boolean isWanted() {
        return new MessageSent().isEnabled();
    }
}
