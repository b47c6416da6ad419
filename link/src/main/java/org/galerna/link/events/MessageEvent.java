package org.galerna.link.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import org.galerna.link.counters.MessageKind;

/** Something about one message. */
abstract class MessageEvent extends PeerEvent {
    @Label("Tag")
    int tag;

    @Label("Kind")
    @Description("What the message is for: messages of the program, collectives, second parts of objects")
    String kind = "";

    @Label("Bytes")
    @DataAmount
    long bytes;

    /** What has begun is over. */
    static void commit(Object begun, int rank, int peer, int tag, int context, long bytes) {
        MessageEvent event = (MessageEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            event.between(rank, peer);
            event.tag = tag;
            event.kind = MessageKind.of(context).word();
            event.bytes = bytes;
            event.commit();
        }
    }
}
