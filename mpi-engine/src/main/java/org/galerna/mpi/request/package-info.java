/** What is left to do when the device has done its part: unpacking, deserializing, second parts. */
@NullMarked
package org.galerna.mpi.request;

import org.jspecify.annotations.NullMarked;
