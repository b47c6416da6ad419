/**
 * The ranks that take part in a collective as one of them sees the others: messages by team rank, pooled scratch
 * memory, and the blocks that a buffer is divided into. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.team;

import org.jspecify.annotations.NullMarked;
