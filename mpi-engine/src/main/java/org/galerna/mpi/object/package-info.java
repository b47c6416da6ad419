/** Messages of objects: how objects become bytes and come back, which classes may come, and how the bytes travel. */
@NullMarked
package org.galerna.mpi.object;

import org.jspecify.annotations.NullMarked;
