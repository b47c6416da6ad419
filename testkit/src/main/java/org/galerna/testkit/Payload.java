package org.galerna.testkit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Bytes that depend on a seed and on their place, so that any byte that is missing, doubled or shifted shows. */
public final class Payload {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private Payload() {}

    /** The seed of one message among many: {@code number} of those from {@code sender}. */
    public static long seed(int sender, int number) {
        return sender * 1_000_000_007L + number;
    }

    /** An array filled with the bytes of the seed. */
    public static byte[] of(long seed, int length) {
        byte[] bytes = new byte[length];
        fill(MemorySegment.ofArray(bytes), 0, length, seed);
        return bytes;
    }

    /** Fills part of a segment with the bytes of the seed. */
    public static void fill(MemorySegment memory, long offset, long length, long seed) {
        long at = 0;
        for (; at + 8 <= length; at += 8) {
            memory.set(WORD, offset + at, word(seed, at));
        }
        for (; at < length; at++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + at, tail(seed, at));
        }
    }

    /** What is wrong with a part of a segment that should hold the bytes of the seed; empty if nothing is. */
    public static Optional<String> difference(MemorySegment memory, long offset, long length, long seed) {
        long at = 0;
        for (; at + 8 <= length; at += 8) {
            if (memory.get(WORD, offset + at) != word(seed, at)) {
                return Optional.of("of " + length + " bytes, those from " + at + " on are wrong");
            }
        }
        for (; at < length; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + at) != tail(seed, at)) {
                return Optional.of("of " + length + " bytes, byte " + at + " is wrong");
            }
        }
        return Optional.empty();
    }

    /** As {@link #difference(MemorySegment, long, long, long)}, for a whole array. */
    public static Optional<String> difference(byte[] bytes, long seed) {
        return difference(MemorySegment.ofArray(bytes), 0, bytes.length, seed);
    }

    private static byte tail(long seed, long at) {
        return (byte) word(seed, at);
    }

    /** One step of SplitMix64 (Steele, Lea and Flood, 2014), which has no short cycles and no zero regions. */
    private static long word(long seed, long at) {
        long mixed = seed * 0xff51afd7ed558ccdL + (at + 1) * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
