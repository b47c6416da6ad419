/**
 * Builds of Galerna as programs are started from them: the one that this process runs, and older ones that it is compared
 * with. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.build;

import org.jspecify.annotations.NullMarked;
