package org.galerna.device;

/** MPI's error classes, named as in MPI 1.1 §7.3 without the prefix {@code MPI_ERR_}; {@code PROC_FAILED} is ULFM's. */
public enum ErrorClass {
    BUFFER,
    COUNT,
    TYPE,
    TAG,
    COMM,
    RANK,
    REQUEST,
    ROOT,
    GROUP,
    OP,
    TOPOLOGY,
    DIMS,
    ARG,
    UNKNOWN,
    TRUNCATE,
    OTHER,
    INTERN,
    IN_STATUS,
    PENDING,
    PROC_FAILED
}
