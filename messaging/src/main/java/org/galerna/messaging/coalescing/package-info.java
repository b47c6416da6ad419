/**
 * Short messages of one thread that follow each other fast, and that go in one frame.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.coalescing;

import org.jspecify.annotations.NullMarked;
