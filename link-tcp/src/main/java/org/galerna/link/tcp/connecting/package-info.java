/** Connections that come and go: who accepts, calls, proves, watches and is there. */
@NullMarked
package org.galerna.link.tcp.connecting;

import org.jspecify.annotations.NullMarked;
