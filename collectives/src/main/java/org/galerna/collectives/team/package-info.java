/**
 * The ranks that take part in a collective as one of them sees the others: messages by team rank, pooled scratch
 * memory, and the vector in which a reduction grows. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.team;

import org.jspecify.annotations.NullMarked;
