/** Stress tests of classes that only their package knows. */
@NullMarked
package org.galerna.messaging;

import org.jspecify.annotations.NullMarked;
