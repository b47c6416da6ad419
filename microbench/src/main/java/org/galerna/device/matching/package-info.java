/** Benchmarks of what is package-private in the device; see {@code org.galerna.microbench}. */
@NullMarked
package org.galerna.device.matching;

import org.jspecify.annotations.NullMarked;
