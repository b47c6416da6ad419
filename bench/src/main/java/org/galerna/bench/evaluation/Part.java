package org.galerna.bench.evaluation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an evaluation consists of; each part can be measured by itself. */
public enum Part {
    /** Messages of package {@code mpi} and of objects, and fast sockets. */
    MESSAGES,
    /** Conjugate gradients. */
    CG,
    /** Fourier transform. */
    FT,
    /** Integer sort. */
    IS,
    /** Multigrid. */
    MG,
    /** Random pairs. */
    EP,
    /** LU factorization. */
    LU,
    /** Molecular dynamics. */
    MOLECULAR,
    /** The wave of the demo. */
    FDTD,
    /** The universe of the demo. */
    COSMOLOGY;

    /** As it is typed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The part of that name, if there is one. */
    public static Optional<Part> of(String word) {
        return Arrays.stream(values())
                .filter(part -> part.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst();
    }
}
