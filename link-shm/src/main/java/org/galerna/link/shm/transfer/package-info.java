/**
 * Large messages, in pieces that go through a ring.
 */
@NullMarked
package org.galerna.link.shm.transfer;

import org.jspecify.annotations.NullMarked;
