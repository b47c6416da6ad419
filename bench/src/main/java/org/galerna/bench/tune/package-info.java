/** Finds out which algorithm of each collective is the fastest here, and writes it down as a table. */
@NullMarked
package org.galerna.bench.tune;

import org.jspecify.annotations.NullMarked;
