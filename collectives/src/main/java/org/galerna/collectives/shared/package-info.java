/**
 * What several algorithms on the common heap of the ranks do: moving blocks between the ranks' own arrays, and combining
 * vectors in slots or where they are. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.shared;

import org.jspecify.annotations.NullMarked;
