/**
 * What algorithms on hypercubes share: how any number of ranks is folded to a power of two without leaving the order
 * of the ranks, and how a vector is halved on the way. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.butterfly;

import org.jspecify.annotations.NullMarked;
