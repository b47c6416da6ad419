/**
 * A finite-difference time-domain simulation of electromagnetic waves in two dimensions, as an ordinary message-passing
 * program: {@link org.galerna.bench.fdtd.Fdtd} decomposes the grid in both directions and exchanges halos by
 * point-to-point messages, {@link org.galerna.bench.fdtd.Subdomain} is the arithmetic of one rank and knows nothing of
 * messages, and {@link org.galerna.bench.fdtd.ReferenceSolver} is the same scheme written down straight, to compare with.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.fdtd;

import org.jspecify.annotations.NullMarked;
