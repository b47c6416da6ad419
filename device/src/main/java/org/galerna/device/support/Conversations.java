package org.galerna.device.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** What the messages of contexts are for, as far as somebody has said so. Any thread may call any method. */
public final class Conversations {
    private final Map<Integer, Conversation> conversations = new ConcurrentHashMap<>();

    /** Nobody has said anything. */
    public Conversations() {}

    /** Says what the messages of a context are for; see {@link Device#converse}. */
    public void begin(int context, Conversation conversation) {
        conversations.put(context, conversation);
    }

    /** Takes {@link #begin} back. */
    public void end(int context) {
        conversations.remove(context);
    }

    /** What the messages of a context are for; null if nobody has said so. */
    public @Nullable Conversation of(int context) {
        return conversations.get(context);
    }

    /** What the collective is, if a message is part of one. */
    public @Nullable Collective collective(int context, int tag) {
        Conversation conversation = of(context);
        return conversation == null ? null : conversation.collective(tag);
    }

    /** What a message is for, in the words of its conversation; in those of the device if it is part of none. */
    public String operation(int context, int tag, String own) {
        Conversation conversation = of(context);
        return conversation == null || tag < 0 ? own : conversation.describe(tag);
    }
}
