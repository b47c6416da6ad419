package org.galerna.applications.cosmology;

/**
 * Hilbert's curve through a cube: points that are neighbours on it are neighbours in space, and each octant of each
 * octant is one piece of it. The octant that comes next, and how the curve lies in it, follow from a table; its rules are
 * those of C. Hamilton, <i>Compact Hilbert Indices</i>, Dalhousie University, 2006.
 */
final class HilbertCurve {
    /** Levels of octants; a key has three bits for each. */
    static final int LEVELS = 20;

    private static final int CELLS = 1 << LEVELS;
    private static final int OCTANTS = 8;
    private static final int AXES = 3;
    /** For a corner where the curve enters, a direction and an octant: its place on the curve, and the next state. */
    private static final byte[] PLACE = new byte[OCTANTS * AXES * OCTANTS];

    private static final byte[] NEXT = new byte[PLACE.length];

    static {
        for (int entry = 0; entry < OCTANTS; entry++) {
            for (int direction = 0; direction < AXES; direction++) {
                for (int octant = 0; octant < OCTANTS; octant++) {
                    int turned = rotateRight(octant ^ entry, direction + 1);
                    int place = turned ^ (turned >> 1) ^ (turned >> 2); // undoes Gray's code
                    int nextEntry = entry ^ rotateRight(entryOf(place), AXES - (direction + 1) % AXES);
                    int nextDirection = (direction + directionOf(place) + 1) % AXES;
                    int index = (entry * AXES + direction) * OCTANTS + octant;
                    PLACE[index] = (byte) place;
                    NEXT[index] = (byte) (nextEntry * AXES + nextDirection);
                }
            }
        }
    }

    private HilbertCurve() {}

    private static int rotateRight(int bits, int by) {
        int count = by % AXES;
        return ((bits >> count) | (bits << (AXES - count))) & (OCTANTS - 1);
    }

    private static int entryOf(int place) {
        int even = place == 0 ? 0 : (place - 1) / 2 * 2;
        return even ^ (even >> 1);
    }

    private static int directionOf(int place) {
        if (place == 0) {
            return 0;
        }
        int odd = place % 2 == 0 ? place - 1 : place;
        return Integer.numberOfTrailingZeros(~odd) % AXES;
    }

    private static int bit(int bits, int level) {
        return (bits >> level) & 1;
    }

    /** Where a point of the unit cube is on the curve. */
    static long key(double x, double y, double z) {
        return key((int) (x * CELLS), (int) (y * CELLS), (int) (z * CELLS), LEVELS);
    }

    /** Where a cell of a cube with {@code 2^levels} cells in each direction is on the curve. */
    static long key(int x, int y, int z, int levels) {
        long key = 0;
        int state = 0;
        for (int level = levels - 1; level >= 0; level--) {
            int octant = bit(x, level) | (bit(y, level) << 1) | (bit(z, level) << 2);
            int index = state * OCTANTS + octant;
            key = (key << AXES) | PLACE[index];
            state = NEXT[index];
        }
        return key;
    }
}
