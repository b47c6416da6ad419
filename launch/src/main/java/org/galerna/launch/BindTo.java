package org.galerna.launch;

/** What ranks are bound to. */
public enum BindTo {
    /**
     * {@link #CORE} where that is sure to help: several ranks, a core for each, and nobody known who could need the same
     * cores; otherwise {@link #NONE}.
     */
    AUTO,

    /** A core, each rank to the next one, from the beginning again when there are more ranks than cores. */
    CORE,

    /** Nothing: the system moves ranks as it likes. */
    NONE
}
