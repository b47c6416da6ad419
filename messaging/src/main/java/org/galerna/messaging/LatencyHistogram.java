package org.galerna.messaging;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * How long things took. Times are counted in buckets as HdrHistogram does it with two significant digits: within each
 * doubling there are 128 buckets of the same width, so that no time is off by more than one in a hundred. This is a copy,
 * which does not change.
 */
public final class LatencyHistogram {
    private static final int SUB_BUCKET_BITS = 7;

    private static final int SIGNIFICANT_DIGITS = 2;
    private static final int COOKIE = 0x1c849303 | 0x10;
    private static final int ENCODED_HEADER_BYTES = 40;
    private static final int LONGEST_ENCODED = 9;

    /** Longer times are counted as this: four hours and a half. */
    private static final long LONGEST = (1L << 44) - 1;

    /** How many buckets there are. */
    public static final int BUCKETS = bucketOf(LONGEST) + 1;

    private final long[] counts;
    private final long count;

    /**
     * A histogram.
     *
     * @param counts of each bucket
     */
    public LatencyHistogram(long... counts) {
        this.counts = Arrays.copyOf(counts, BUCKETS);
        this.count = Arrays.stream(this.counts).sum();
    }

    /** The number of the bucket for a time in nanoseconds. */
    public static int bucketOf(long nanos) {
        long value = Math.clamp(nanos, 0, LONGEST);
        int doublings = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - SUB_BUCKET_BITS - 1);
        return (doublings << SUB_BUCKET_BITS) + (int) (value >>> doublings);
    }

    /** The greatest time in nanoseconds that a bucket counts. */
    public static long greatestOf(int bucket) {
        int doublings = Math.max(0, (bucket >>> SUB_BUCKET_BITS) - 1);
        long first = (long) (bucket - (doublings << SUB_BUCKET_BITS)) << doublings;
        return first + (1L << doublings) - 1;
    }

    /** How many were counted. */
    public long count() {
        return count;
    }

    /** How many a bucket has counted. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /**
     * The time that so many of a hundred did not exceed; zero if nothing was counted.
     *
     * @param percentile 0 to 100
     */
    public Duration percentile(double percentile) {
        long wanted = Math.max(1, (long) Math.ceil(Math.clamp(percentile, 0, 100) / 100 * count));
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return Duration.ofNanos(greatestOf(bucket));
            }
        }
        return Duration.ZERO;
    }

    /**
     * These counts in HdrHistogram's encoding (version 2, not compressed), which its {@code Histogram.decodeFromByteBuffer}
     * reads in whichever language.
     */
    public byte[] encode() {
        int last = BUCKETS - 1;
        while (last >= 0 && counts[last] == 0) {
            last--;
        }
        ByteBuffer bytes = ByteBuffer.allocate(ENCODED_HEADER_BYTES + (last + 1) * LONGEST_ENCODED);
        bytes.position(ENCODED_HEADER_BYTES);
        for (int bucket = 0; bucket <= last; bucket++) {
            int zeros = 0;
            while (counts[bucket] == 0) { // ends before the last one
                zeros++;
                bucket++;
            }
            if (zeros > 0) {
                putSigned(bytes, zeros == 1 ? 0 : -zeros);
            }
            putSigned(bytes, counts[bucket]);
        }
        int length = bytes.position() - ENCODED_HEADER_BYTES;
        bytes.putInt(0, COOKIE)
                .putInt(4, length)
                .putInt(8, 0) // no offset of values
                .putInt(12, SIGNIFICANT_DIGITS)
                .putLong(16, 1) // the least value
                .putLong(24, LONGEST)
                .putDouble(32, 1); // for values that are no integers
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** Zigzag, seven bits in a byte, the lowest first; a ninth byte has eight. */
    private static void putSigned(ByteBuffer bytes, long value) {
        long rest = (value << 1) ^ (value >> (Long.SIZE - 1));
        int length = 1;
        while (rest >>> 7 != 0 && length < LONGEST_ENCODED) {
            bytes.put((byte) (rest | 0x80));
            rest >>>= 7;
            length++;
        }
        bytes.put((byte) rest);
    }

    /** Half, most and nearly all of them. */
    @Override
    public String toString() {
        return count + " (50 %: " + micros(50) + ", 99 %: " + micros(99) + ", 99.9 %: " + micros(99.9) + ", all: "
                + micros(100) + " µs)";
    }

    private String micros(double percentile) {
        return String.valueOf(percentile(percentile).toNanos() / 1000);
    }
}
