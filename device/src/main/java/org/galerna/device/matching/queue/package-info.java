/**
 * Receives that wait for a message, messages that wait for a receive, and those that are being fetched.
 */
@NullMarked
package org.galerna.device.matching.queue;

import org.jspecify.annotations.NullMarked;
