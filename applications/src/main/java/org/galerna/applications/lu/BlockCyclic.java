package org.galerna.applications.lu;

/**
 * How indexes are dealt out in one direction: blocks go round the parts.
 *
 * @param block length of a block
 * @param parts number of parts
 * @param part the one this is about
 */
record BlockCyclic(int block, int parts, int part) {
    /** The part that has an index. */
    int owner(int index) {
        return index / block % parts;
    }

    /** Where an index is at its owner. */
    int local(int index) {
        return index / block / parts * block + index % block;
    }

    /** The index of a place of this part. */
    int global(int local) {
        return (local / block * parts + part) * block + local % block;
    }

    /** How many of the indexes below {@code end} this part has; the place of the first that is not below. */
    int countBelow(int end) {
        int blocks = end / block;
        int count = blocks / parts * block;
        int rest = blocks % parts;
        if (part < rest) {
            count += block;
        } else if (part == rest) {
            count += end % block;
        }
        return count;
    }
}
