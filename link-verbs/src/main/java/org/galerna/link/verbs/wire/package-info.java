/**
 * What ranks send each other over an adapter, bit by bit: frames, words, and what is said about connections.
 */
@NullMarked
package org.galerna.link.verbs.wire;

import org.jspecify.annotations.NullMarked;
