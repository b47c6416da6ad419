/**
 * A node: its threads, what they share, its requests and its end.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.node;

import org.jspecify.annotations.NullMarked;
