/**
 * How two processes that know a key, and no launcher, open a link to each other: proofs of the key, messages that are
 * sealed under it, and the wire-up of a job of the two. How they find each other is the business of who uses this.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.link.pair;

import org.jspecify.annotations.NullMarked;
