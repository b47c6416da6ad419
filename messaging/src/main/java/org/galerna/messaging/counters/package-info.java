/**
 * What a node counts: of all, of each other node, and how long things took.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.counters;

import org.jspecify.annotations.NullMarked;
