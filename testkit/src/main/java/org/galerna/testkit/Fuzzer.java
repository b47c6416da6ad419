package org.galerna.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Makes up bytes for decoders: genuine ones that are cut, lengthened, spliced, and changed in bits, bytes and numbers,
 * where numbers are those at which arithmetic and checks go wrong. What is made up depends on the seed alone, which the
 * message of a failure names.
 */
public final class Fuzzer {
    /** System property: seconds that a run takes where the test does not say it. */
    public static final String SECONDS = "galerna.fuzz.seconds";

    private static final long LONG_SECONDS = Long.getLong(SECONDS, 20);

    /** Numbers that are worth trying wherever a decoder may look for one. */
    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        7,
        8,
        9,
        63,
        64,
        127,
        128,
        255,
        256,
        Short.MAX_VALUE,
        Short.MIN_VALUE,
        65_535,
        65_536,
        1 << 24,
        1 << 30,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 8L,
        Integer.MIN_VALUE,
        0xffff_ffffL,
        1L << 32,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 8,
        Long.MIN_VALUE
    };

    private static final int MOST_CHANGES = 6;

    private final List<byte[]> genuine;

    /** Begins with these inputs, at least one. */
    public Fuzzer(List<byte[]> genuine) {
        this.genuine = List.copyOf(genuine);
        if (genuine.isEmpty()) {
            throw new IllegalArgumentException("a fuzzer needs an input that is genuine");
        }
    }

    /** What is tried. */
    @FunctionalInterface
    public interface Decoder {
        /** Reads the bytes; throws what nothing that is read may make it throw, and returns otherwise. */
        void read(byte[] bytes) throws Exception;
    }

    /** Tries inputs for half a second, at most so many: for a run with each build. */
    public void shortRun(String test, int most, Decoder decoder) {
        run(test, most, TimeUnit.MILLISECONDS.toNanos(500), decoder);
    }

    /** Tries inputs for {@value #SECONDS} seconds, 20 unless set. */
    public void longRun(String test, Decoder decoder) {
        run(test, Long.MAX_VALUE, TimeUnit.SECONDS.toNanos(LONG_SECONDS), decoder);
    }

    private void run(String test, long most, long nanos, Decoder decoder) {
        long seed = Seeds.next(test);
        long start = System.nanoTime();
        long tried = 0;
        do {
            byte[] bytes = input(seed + tried);
            try {
                decoder.read(bytes);
            } catch (Exception | Error failure) {
                throw new AssertionError(
                        test + " with -Dtest.seed=" + (seed + tried) + ": " + failure + " after "
                                + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 512)),
                        failure);
            }
            tried++;
        } while (tried < most && System.nanoTime() - start < nanos);
        System.out.println(test + ": " + tried + " inputs");
    }

    /** The input of a seed. */
    public byte[] input(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = pick(random).clone();
        for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private byte[] pick(SplittableRandom random) {
        return genuine.get(random.nextInt(genuine.size()));
    }

    private byte[] changed(byte[] bytes, SplittableRandom random) {
        if (bytes.length == 0) {
            return pick(random).clone();
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(10)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2, 3, 4 -> number(bytes, at, random);
            case 5 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 6 -> {
                return joined(bytes, at, at, random(random, 1 + random.nextInt(16)));
            }
            case 7 -> {
                return joined(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(16)), new byte[0]);
            }
            case 8 -> {
                byte[] other = pick(random);
                int from = random.nextInt(other.length + 1);
                return joined(bytes, at, bytes.length, Arrays.copyOfRange(other, from, other.length));
            }
            default -> {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(64));
                return joined(bytes, end, end, Arrays.copyOfRange(bytes, at, end));
            }
        }
        return bytes;
    }

    private static void number(byte[] bytes, int at, SplittableRandom random) {
        int width = 1 << random.nextInt(4);
        int aligned = random.nextBoolean() ? at / width * width : at;
        if (aligned + width > bytes.length) {
            return;
        }
        long value = NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(-1, 2);
        ByteBuffer buffer =
                ByteBuffer.wrap(bytes).order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        switch (width) {
            case 1 -> buffer.put(aligned, (byte) value);
            case 2 -> buffer.putShort(aligned, (short) value);
            case 4 -> buffer.putInt(aligned, (int) value);
            default -> buffer.putLong(aligned, value);
        }
    }

    private static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[] bytes, int end, int from, byte[] between) {
        ByteBuffer all = ByteBuffer.allocate(end + between.length + bytes.length - from);
        return all.put(bytes, 0, end)
                .put(between)
                .put(bytes, from, bytes.length - from)
                .array();
    }
}
