/**
 * Tagged messages between ranks, the paper's {@code xxdev}: the matching engine, the eager and rendezvous protocols,
 * requests, and the devices by name. References are never null unless they say so.
 */
@NullMarked
package org.galerna.device;

import org.jspecify.annotations.NullMarked;
