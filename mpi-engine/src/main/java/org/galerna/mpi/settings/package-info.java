/** What is set by system properties: the options of a rank, and the names of all properties. */
@NullMarked
package org.galerna.mpi.settings;

import org.jspecify.annotations.NullMarked;
