/**
 * Algorithms of the barrier: nobody leaves before everybody has arrived. All of them send empty messages only.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.barrier;

import org.jspecify.annotations.NullMarked;
