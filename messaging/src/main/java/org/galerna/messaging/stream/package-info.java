/**
 * Streams: messages of one type that a node asks another one for, as many as it has room for.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.stream;

import org.jspecify.annotations.NullMarked;
