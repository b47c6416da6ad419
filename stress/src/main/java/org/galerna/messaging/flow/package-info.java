/** Stress tests of classes of this package. */
@NullMarked
package org.galerna.messaging.flow;

import org.jspecify.annotations.NullMarked;
