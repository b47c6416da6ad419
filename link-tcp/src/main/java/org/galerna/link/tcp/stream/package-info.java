/** Frames and transfers on their way out to one peer, and in. */
@NullMarked
package org.galerna.link.tcp.stream;

import org.jspecify.annotations.NullMarked;
