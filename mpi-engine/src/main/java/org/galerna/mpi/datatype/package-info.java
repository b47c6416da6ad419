/** Which elements of an array a message consists of, and how they are packed. */
@NullMarked
package org.galerna.mpi.datatype;

import org.jspecify.annotations.NullMarked;
