package org.galerna.mpi.datatype;

/**
 * What programs give in the place of a buffer: the items are where the others' go or come from.
 *
 * @param name what programs call it
 */
public record InPlace(String name) {
    @Override
    public String toString() {
        return name;
    }
}
