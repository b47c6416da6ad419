/**
 * What is said of connections: counters, the log and the flight recorder.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.report;

import org.jspecify.annotations.NullMarked;
