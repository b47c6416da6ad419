/**
 * The connections of a node: opened at first use, answered, found, and kept within their limit.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.peers;

import org.jspecify.annotations.NullMarked;
