/**
 * A connection from its first frame to its last, the thread that polls all of them, and the listener that hears of them.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.connection;

import org.jspecify.annotations.NullMarked;
