/**
 * The adapter of a rank: which one it is, how long its queues are, and what a rank has on it for all of its peers.
 */
@NullMarked
package org.galerna.link.verbs.adapter;

import org.jspecify.annotations.NullMarked;
