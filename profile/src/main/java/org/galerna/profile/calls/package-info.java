/** The calls of a program, each with its line: the class files are changed so that each call of package {@code mpi} is timed. */
@NullMarked
package org.galerna.profile.calls;

import org.jspecify.annotations.NullMarked;
