/**
 * What the {@code mpi} package needs beside the standard API: per-rank state and the translation of
 * arguments to device calls.
 */
@NullMarked
package org.galerna.mpj;

import org.jspecify.annotations.NullMarked;
