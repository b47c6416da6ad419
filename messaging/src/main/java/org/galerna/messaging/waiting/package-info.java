/**
 * How threads wait: for room, for responses, and handlers for something to do. Nobody here knows what they wait for.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.waiting;

import org.jspecify.annotations.NullMarked;
