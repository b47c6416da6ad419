/**
 * Memory for messages that several processes can reach.
 */
@NullMarked
package org.galerna.link.shm.memory;

import org.jspecify.annotations.NullMarked;
