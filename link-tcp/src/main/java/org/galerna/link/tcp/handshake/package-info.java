/** What the two ends of a new connection say to each other before anything else. */
@NullMarked
package org.galerna.link.tcp.handshake;

import org.jspecify.annotations.NullMarked;
