package org.galerna.profile.otf2;

/** Whose a region or a group is. */
final class Paradigms {
    static final int USER = 1;
    static final int MPI = 4;

    private Paradigms() {}
}
