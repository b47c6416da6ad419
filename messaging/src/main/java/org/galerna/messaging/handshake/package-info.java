/**
 * How two nodes meet: proof of the cluster's key, and the wire-up over which they open a link to each other.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.handshake;

import org.jspecify.annotations.NullMarked;
