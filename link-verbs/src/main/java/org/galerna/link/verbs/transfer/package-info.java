/**
 * Large messages, in pieces that are read or written by an adapter.
 */
@NullMarked
package org.galerna.link.verbs.transfer;

import org.jspecify.annotations.NullMarked;
