package org.galerna.messaging;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.Seeds;

/** What the tests of decoders read: messages as they are written, and what a {@link Fuzzer} makes of them. */
public final class DecoderInputs {
    /** Inputs for each decoder. */
    public static final int NUMBER = Integer.getInteger("galerna.test.decoder.inputs", 20_000);

    private static final int LONGEST = 10_000;

    private DecoderInputs() {}

    /** Reads bytes, or refuses them by one of these exceptions, with a message. */
    @FunctionalInterface
    public interface Decoder {
        /** Reads them all. */
        void read(byte[] bytes) throws IOException;
    }

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

    /** Whether the bytes were read; false if they were refused. */
    public static boolean isRead(byte[] bytes, Decoder decoder) {
        try {
            decoder.read(bytes);
            return true;
        } catch (MalformedMessageException | IOException refused) {
            if (refused.getMessage() == null) { // it stands in the log
                throw new AssertionError(refused);
            }
            return false;
        }
    }

    /**
     * Lets so many inputs be read that are made from these. Some have to be read and some refused.
     *
     * @param test names it
     */
    public static void read(String test, int inputs, List<byte[]> genuine, Decoder decoder) {
        for (byte[] each : genuine) {
            if (!isRead(each, decoder)) {
                throw new AssertionError(test + ": a genuine message is refused: " + Arrays.toString(each));
            }
        }
        Fuzzer fuzzer = new Fuzzer(genuine);
        long seed = Seeds.next(test);
        int read = 0;
        for (int input = 0; input < inputs; input++) {
            byte[] bytes = fuzzer.input(seed + input);
            try {
                read += isRead(bytes, decoder) ? 1 : 0;
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(
                        test + " with -Dtest.seed=" + (seed + input) + ": " + Arrays.toString(bytes), failure);
            }
        }
        System.out.println(test + ": " + read + " of " + inputs + " inputs were read");
        if (read < inputs / 100 || read > inputs - inputs / 100) {
            throw new AssertionError(test + ": " + read + " of " + inputs + " inputs were read");
        }
    }
}
