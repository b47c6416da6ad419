package org.galerna.applications.nas;

import java.util.Locale;

/** How large a problem is: S for samples, W for workstations, and A to D, each larger than the one before. */
public enum ProblemClass {
    /** A sample, for tests. */
    S,
    /** For workstations of the nineties. */
    W,
    /** The smallest that is worth a measurement. */
    A,
    /** About four times as much work as {@link #A}. */
    B,
    /** About four times as much work as {@link #B}. */
    C,
    /** About twenty times as much work as {@link #C}. */
    D;

    /**
     * How long work is done at least that is not timed, so that the compiler is done with it where that would count. Each rank has its
     * own copy of the classes: where every core has a rank, the compiler needs longer than for one.
     */
    double warmUpSeconds() {
        return this == S || this == W ? 0 : 3;
    }

    /** Understands one letter. */
    static ProblemClass parse(String text) {
        for (ProblemClass each : values()) {
            if (each.name().equals(text.toUpperCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new NasException("--class is S, W, A, B, C or D, not \"" + text + "\"");
    }
}
