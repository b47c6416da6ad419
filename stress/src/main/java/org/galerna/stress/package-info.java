/**
 * Concurrency tests that jcstress runs millions of times under different compilers and thread placements. Each one
 * declares which outcomes the memory orders of the code allow; any other outcome fails the run.
 */
@NullMarked
package org.galerna.stress;

import org.jspecify.annotations.NullMarked;
