package org.galerna.link;

import org.jspecify.annotations.Nullable;

/**
 * Key of a map with entries of ranks. It compares by code of its own: the JDK makes that of a record anew in each start, which
 * takes milliseconds.
 *
 * @param rank whose entry it is
 * @param name of the entry
 */
public record RankKey(int rank, String name) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RankKey key && key.rank == rank && key.name.equals(name);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + rank;
    }
}
