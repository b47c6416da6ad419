/** Stress tests of classes of this package. */
@NullMarked
package org.galerna.messaging.waiting;

import org.jspecify.annotations.NullMarked;
