/**
 * A universe of particles: a tree for forces nearby, a mesh for those far away, and domains along a space-filling curve.
 * Lengths are in units of the box, times in units of the Hubble time of today, unless a method says something else.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.applications.cosmology;

import org.jspecify.annotations.NullMarked;
