package org.galerna.profile.record;

/** Counts by a key, in an open hash table of bounded size. Not thread-safe. */
final class Sequences {
    /** Of keys that come when the table is full. */
    static final int UNKNOWN = -1;

    /** Of a message that is numbered when it has come, because any sender or tag will do. */
    static final int LATER = Integer.MIN_VALUE;

    private static final int FIRST_LENGTH = 64;
    private static final int MOST_LENGTH = 1 << 18;

    private long[] keys = new long[FIRST_LENGTH];
    private int[] counts = new int[FIRST_LENGTH];
    private int used;

    /** How often the key has been asked for before. The key 0 is not one. */
    int next(long key) {
        int place = placeOf(key);
        if (keys[place] != key) {
            if (used >= MOST_LENGTH / 2) {
                return UNKNOWN;
            }
            if (used >= keys.length / 2) {
                grow();
                place = placeOf(key);
            }
            keys[place] = key;
            used++;
        }
        int count = counts[place];
        counts[place] = count + 1 & Integer.MAX_VALUE;
        return count;
    }

    private int placeOf(long key) {
        int mask = keys.length - 1;
        int place = (int) (key ^ key >>> 32) & mask;
        while (keys[place] != 0 && keys[place] != key) {
            place = place + 1 & mask;
        }
        return place;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[2 * oldKeys.length];
        counts = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int place = placeOf(oldKeys[i]);
                keys[place] = oldKeys[i];
                counts[place] = oldCounts[i];
            }
        }
    }

    /** A key of two values, of which no two are alike in practice: 64 bits, well mixed; never 0. */
    static long key(long one, long two) {
        long key = mixed(mixed(one) ^ two);
        return key == 0 ? 1 : key;
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), which is one-to-one. */
    private static long mixed(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
