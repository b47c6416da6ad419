/**
 * The device over UCX: messages are matched by UCX, by tags of 64 bits. What UCX does not have is here: credit, sends that are
 * taken back, receives that are too short, and ranks that leave. References are never null unless they say so.
 */
@NullMarked
package org.galerna.device.ucx;

import org.jspecify.annotations.NullMarked;
