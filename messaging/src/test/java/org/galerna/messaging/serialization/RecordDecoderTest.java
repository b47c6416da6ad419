package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.serialization.AllComponents.All;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, reading them gives a value that can be written again, or one kind of exception. */
class RecordDecoderTest {
    private static final int INPUTS = DecoderInputs.NUMBER;
    private static final RecordSerializer<All> ALL = RecordSerializer.of(All.class);

    private static final int LONGEST_SEED = 1000;

    /** For each byte of the input, and for each input. */
    private static final long MOST_BYTES_EACH = 400;

    private static final long MOST_BYTES = 512 * 1024;

    @Test
    void randomAndMutatedBytesAreReadOrRefused() {
        Random random = new Random(Seeds.next("decoders"));
        byte[][] seeds = new byte[50][];
        AllComponents.Source source = new AllComponents.Source(random.nextLong());
        for (int each = 0; each < seeds.length; each++) {
            do {
                seeds[each] = Pieces.write(source.all(), ALL, _ -> 1 << 16);
            } while (seeds[each].length > LONGEST_SEED);
        }
        Fuzzer fuzzer = new Fuzzer(List.of(seeds));
        int read = 0;
        Importer in = new Importer();
        for (byte[] seed : seeds) { // what method handles make of themselves does not count
            in.begin(seed, 0, seed.length, 0);
            All ignored = ALL.read(in, null);
        }
        for (int input = 0; input < INPUTS; input++) {
            byte[] bytes = input % 4 == 0 ? noise(random) : fuzzer.input(random.nextLong());
            long before = allocated();
            All value = null;
            try {
                in.begin(bytes, 0, bytes.length, 0);
                value = ALL.read(in, null);
            } catch (MalformedMessageException refused) {
                if (refused.getMessage() == null) {
                    throw refused;
                }
            }
            long taken = allocated() - before;
            if (taken > MOST_BYTES + MOST_BYTES_EACH * bytes.length) {
                throw new AssertionError(bytes.length + " bytes took " + taken + ": " + Arrays.toString(bytes));
            }
            if (value != null) {
                read++;
                if (read % 128 == 0) {
                    byte[] again = Pieces.write(value, ALL, _ -> 1 << 16);
                    assertThat(AllComponents.text(Pieces.read(again, ALL, _ -> 1 << 16)))
                            .isEqualTo(AllComponents.text(value));
                }
            }
        }
        assertThat(read).isGreaterThan(INPUTS / 100);
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) { // mostly small numbers, which go deeper
            for (int each = 0; each < bytes.length; each++) {
                bytes[each] &= 3;
            }
        }
        return bytes;
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** Records. */
    public static final class Target implements FuzzTarget {
        private final Importer in = new Importer();

        public Target() {}

        @Override
        public List<byte[]> seeds() {
            AllComponents.Source source = new AllComponents.Source(1);
            return Stream.generate(() -> Pieces.write(source.all(), ALL, _ -> 1 << 16))
                    .limit(50)
                    .toList();
        }

        @Override
        public void read(byte[] bytes) {
            boolean ignored = DecoderInputs.isRead(bytes, all -> {
                in.begin(all, 0, all.length, 0);
                Record value = ALL.read(in, null);
                if (value == null) {
                    throw new AssertionError();
                }
            });
        }
    }
}
