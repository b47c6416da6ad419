package org.galerna.profile.record;

/**
 * Counts by a key, in an open hash table of bounded size. Not thread-safe.
 *
 * <p>Those that are counted have their turns in an order that nobody tells: between the begin and the end of a call. If calls of
 * several users overlap, it may be another one than that of the numbers. Then the key is {@linkplain #isUncertain uncertain} from
 * now on.
 */
final class Sequences {
    /** Of keys that come when the table is full. */
    static final int UNKNOWN = -1;

    /** Of a message that is numbered by the call that receives it. */
    static final int NOW = Integer.MIN_VALUE;

    /** Of a message that is numbered when it has come, because any sender or tag will do. */
    static final int LATER = Integer.MIN_VALUE + 1;

    /** A user that is another one each time. */
    static final int ANYBODY = -1;

    private static final int UNCERTAIN = -2;

    private static final int FIRST_LENGTH = 64;
    private static final int MOST_LENGTH = 1 << 18;

    private long[] keys = new long[FIRST_LENGTH];
    private int[] counts = new int[FIRST_LENGTH];
    private int[] users = new int[FIRST_LENGTH];
    /** When the last turn was over at the latest. */
    private long[] ends = new long[FIRST_LENGTH];

    private int used;
    private boolean allUncertain;

    /** How often the key has been asked for before. The key 0 is not one. */
    int next(long key) {
        int place = placeFor(key);
        return place == UNKNOWN ? UNKNOWN : count(place);
    }

    /**
     * As {@link #next(long)}, for one of several users.
     *
     * @param begun its turn was not before
     * @param end its turn was not after
     */
    int next(long key, int user, long begun, long end) {
        int place = placeFor(key);
        if (place == UNKNOWN) {
            return UNKNOWN;
        }
        if (users[place] != UNCERTAIN) {
            boolean another = counts[place] > 0 && (users[place] != user || user == ANYBODY);
            users[place] = another && begun < ends[place] ? UNCERTAIN : user;
            ends[place] = counts[place] == 0 ? end : Math.max(ends[place], end);
        }
        return count(place);
    }

    private int count(int place) {
        int count = counts[place];
        counts[place] = count + 1 & Integer.MAX_VALUE;
        return count;
    }

    /** From now on the key's numbers tell nothing. */
    void distrust(long key) {
        int place = placeFor(key);
        if (place != UNKNOWN) {
            users[place] = UNCERTAIN;
        }
    }

    /** From now on no numbers tell anything. */
    void distrustAll() {
        allUncertain = true;
    }

    /** Whether the numbers of a key may be in another order than the turns. */
    boolean isUncertain(long key) {
        int place = placeOf(key);
        return allUncertain || (keys[place] == key && users[place] == UNCERTAIN);
    }

    /** How many have uncertain numbers. */
    long uncertain() {
        long sum = 0;
        for (int place = 0; place < keys.length; place++) {
            sum += allUncertain || users[place] == UNCERTAIN ? counts[place] : 0;
        }
        return sum;
    }

    private int placeFor(long key) {
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
        return place;
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
        int[] oldUsers = users;
        long[] oldEnds = ends;
        keys = new long[2 * oldKeys.length];
        counts = new int[keys.length];
        users = new int[keys.length];
        ends = new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int place = placeOf(oldKeys[i]);
                keys[place] = oldKeys[i];
                counts[place] = oldCounts[i];
                users[place] = oldUsers[i];
                ends[place] = oldEnds[i];
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
