/** Bytes of one connection: with and without blocking, with and without TLS; and how frames lie in them. */
@NullMarked
package org.galerna.link.tcp.wire;

import org.jspecify.annotations.NullMarked;
