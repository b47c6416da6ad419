package org.galerna.applications.fdtd;

/**
 * Where and how the pulse enters the cavity.
 *
 * @param region the cells it drives
 * @param kind how it drives them
 * @param wavelet the pulse
 */
public record Source(Tile region, Kind kind, RickerWavelet wavelet) {
    /** How a source acts on the electric field of its cells. */
    public enum Kind {
        /** The pulse is added: passing waves go through the source. */
        SOFT,
        /** The pulse replaces the field: passing waves are reflected by the source. */
        HARD
    }
}
