/**
 * The way to one peer: its credit, what waits for room, and messages that travel together.
 */
@NullMarked
package org.galerna.device.matching.sending;

import org.jspecify.annotations.NullMarked;
