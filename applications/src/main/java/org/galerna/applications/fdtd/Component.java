package org.galerna.applications.fdtd;

/** The components of the field in the transverse magnetic mode. */
public enum Component {
    /** Electric field across the plane, V/m. */
    EZ,
    /** Magnetic field along x times the impedance of free space, V/m. */
    HX,
    /** Magnetic field along y times the impedance of free space, V/m. */
    HY
}
