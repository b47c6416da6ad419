/**
 * A rank that is a thread: its class loader, its threads, and its share of what a process would have for itself, such
 * as standard streams, shutdown hooks and the handler of uncaught exceptions. References are never null unless they
 * say so.
 */
@NullMarked
package org.galerna.launch.rank;

import org.jspecify.annotations.NullMarked;
