package org.galerna.messaging;

import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;

/** The decoders of some messages. Of a target's bytes the first says which of the messages follows. */
public abstract class MessageDecoders implements FuzzTarget {
    private final Importer in = new Importer();
    private final List<Serializer<?>> serializers = new ArrayList<>();
    private final List<byte[]> genuine = new ArrayList<>();

    protected MessageDecoders() {}

    /** Adds a message as it is written. */
    protected final <T> void add(T message, Serializer<T> serializer) {
        serializers.add(serializer);
        genuine.add(DecoderInputs.written(message, serializer));
    }

    /** Lets each decoder read so many inputs. */
    public final void readAll(String test, int inputs) {
        for (int each = 0; each < genuine.size(); each++) {
            Serializer<?> serializer = serializers.get(each);
            DecoderInputs.read(
                    test + " " + each, inputs, List.of(genuine.get(each)), bytes -> read(serializer, bytes, 0));
        }
    }

    private void read(Serializer<?> serializer, byte[] bytes, int from) {
        in.begin(bytes, from, bytes.length - from, 0);
        Object ignored = serializer.read(in, null);
    }

    @Override
    public final List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (byte[] each : genuine) {
            byte[] seed = new byte[1 + each.length];
            seed[0] = (byte) seeds.size();
            System.arraycopy(each, 0, seed, 1, each.length);
            seeds.add(seed);
        }
        return seeds;
    }

    @Override
    public final void read(byte[] bytes) {
        if (bytes.length > 0) {
            Serializer<?> serializer = serializers.get(Math.floorMod(bytes[0], serializers.size()));
            boolean ignored = DecoderInputs.isRead(bytes, all -> read(serializer, all, 1));
        }
    }
}
