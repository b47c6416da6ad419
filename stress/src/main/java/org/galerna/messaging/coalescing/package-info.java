/** Stress tests of classes of this package. */
@NullMarked
package org.galerna.messaging.coalescing;

import org.jspecify.annotations.NullMarked;
