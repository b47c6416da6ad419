/** Stress tests of what fast sockets keep to themselves. */
@NullMarked
package org.galerna.sockets.pipe;

import org.jspecify.annotations.NullMarked;
