package org.galerna.messaging.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.MessageDecoders;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.wire.RefusedCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever comes as a call or a reply is read or refused. */
class ServiceDecodersTest {
    record Item(String name, int count, @Nullable Item next) {}

    interface Store {
        Map<String, Item> find(List<Item> items, Optional<Item> more, int most, String[] names);
    }

    private static final ServiceMethod METHOD =
            ServiceMethod.of(Store.class, Serializers.NONE).getFirst();

    @Test
    void callsAndRepliesAreReadOrRefused() {
        new Target().readAll("calls and replies", DecoderInputs.NUMBER);
    }

    /** All of them, whatever the key of their method. */
    public static final class Target extends MessageDecoders {
        public Target() {
            Item item = new Item("a", 1, new Item("b", 2, null));
            add(
                    new ServiceCall(METHOD, List.of(item, item), Optional.of(item), 7, new String[] {"a", "b"}),
                    ServiceCall.serializer(_ -> METHOD));
            Serializer<ServiceReply> replies = ServiceReply.serializer(_ -> METHOD);
            add(new ServiceReply(METHOD, Map.of("a", item), null), replies);
            add(
                    new ServiceReply(METHOD, null, ServiceReply.Thrown.of(new IllegalStateException("the reason"))),
                    replies);
            add(new RefusedCall(METHOD.key(), METHOD.layout()), RefusedCall.TYPE.serializer());
        }
    }
}
