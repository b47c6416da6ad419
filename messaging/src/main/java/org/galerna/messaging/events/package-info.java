/**
 * What is told of a node while it runs: to the program's listener for metrics, and to Flight Recorder.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.events;

import org.jspecify.annotations.NullMarked;
