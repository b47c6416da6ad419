/**
 * Runs the body of a test on several ranks in one virtual machine, each with its own copy of the {@code mpi} package,
 * as a launcher does. References are never null unless they say so.
 */
@NullMarked
package org.galerna.harness;

import org.jspecify.annotations.NullMarked;
