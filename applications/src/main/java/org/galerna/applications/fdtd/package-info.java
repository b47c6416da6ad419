/**
 * A finite-difference time-domain simulation of electromagnetic waves in two dimensions, as an ordinary message-passing
 * program: {@link org.galerna.applications.fdtd.Fdtd} decomposes the grid in both directions and exchanges halos by
 * point-to-point messages, {@link org.galerna.applications.fdtd.Subdomain} is the arithmetic of one rank and knows nothing of
 * messages, and {@link org.galerna.applications.fdtd.ReferenceSolver} is the same scheme written down straight, to compare with.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.applications.fdtd;

import org.jspecify.annotations.NullMarked;
