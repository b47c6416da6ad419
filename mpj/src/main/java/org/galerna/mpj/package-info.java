/** Programs of Galerna's own that call package {@code mpi}. */
@NullMarked
package org.galerna.mpj;

import org.jspecify.annotations.NullMarked;
