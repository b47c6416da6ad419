/**
 * The devices over links: the matching engine, and the eager and rendezvous protocols. References are never null unless they say
 * so.
 */
@NullMarked
package org.galerna.device.matching;

import org.jspecify.annotations.NullMarked;
