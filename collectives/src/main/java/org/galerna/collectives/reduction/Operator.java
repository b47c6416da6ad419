package org.galerna.collectives.reduction;

/**
 * The predefined operations of MPI 1.1 §4.9.2 and §4.9.3. The logical ones take any number other than 0 for true and
 * give 1 or 0; {@link #MAXLOC} and {@link #MINLOC} work on pairs (value, index) that lie side by side in one array.
 */
public enum Operator {
    SUM,
    PROD,
    MAX,
    MIN,
    BAND,
    BOR,
    BXOR,
    LAND,
    LOR,
    LXOR,
    MAXLOC,
    MINLOC
}
