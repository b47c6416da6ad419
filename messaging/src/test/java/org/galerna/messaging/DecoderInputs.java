package org.galerna.messaging;

import java.util.Arrays;
import java.util.Random;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Serializer;

/** What the tests of decoders read: messages as they are written, and changed in some bytes or cut. */
public final class DecoderInputs {
    /** Inputs for each decoder. */
    public static final int NUMBER = Integer.getInteger("galerna.test.decoder.inputs", 100_000);

    private static final int LONGEST = 10_000;

    private DecoderInputs() {}

    /** The bytes of a message. */
    public static <T> byte[] written(T message, Serializer<T> serializer) {
        byte[] bytes = new byte[LONGEST];
        Exporter out = new Exporter(_ -> {
            throw new IllegalStateException("longer than that");
        });
        out.begin(bytes, 0, bytes.length);
        serializer.write(message, out);
        return Arrays.copyOf(bytes, out.written());
    }

    /**
     * A copy, cut or not, in which up to three bytes are changed.
     *
     * @param from the first byte that may be changed
     */
    public static byte[] changed(byte[] seed, int from, Random random) {
        byte[] bytes = random.nextInt(4) == 0 ? Arrays.copyOf(seed, random.nextInt(seed.length + 1)) : seed.clone();
        for (int changes = random.nextInt(4); changes > 0 && bytes.length > from; changes--) {
            int at = from + random.nextInt(bytes.length - from);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }
}
