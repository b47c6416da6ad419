/**
 * What lies in a frame, and how types of messages are known by class and by number.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.wire;

import org.jspecify.annotations.NullMarked;
