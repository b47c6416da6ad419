/** Benchmarks of what is package-private in the threads link; see {@code org.galerna.microbench}. */
@NullMarked
package org.galerna.link.threads;

import org.jspecify.annotations.NullMarked;
