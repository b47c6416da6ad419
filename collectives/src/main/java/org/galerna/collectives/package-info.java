/**
 * The collective operations of MPI over a device: {@link org.galerna.collectives.Collectives} is what a communicator
 * calls; which algorithm then runs is looked up in a table of decisions and can be forced by option. References are
 * never null unless they say so.
 */
@NullMarked
package org.galerna.collectives;

import org.jspecify.annotations.NullMarked;
