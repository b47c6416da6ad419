/**
 * What all ranks of a host know of each other, and how one wakes another.
 */
@NullMarked
package org.galerna.link.shm.board;

import org.jspecify.annotations.NullMarked;
