/**
 * Pipes that the other end offers, and the connections that they are for.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.offer;

import org.jspecify.annotations.NullMarked;
