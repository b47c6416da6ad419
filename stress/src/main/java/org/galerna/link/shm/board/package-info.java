/** Stress tests of what the shared-memory link keeps to itself. References are never null unless they say so. */
@NullMarked
package org.galerna.link.shm.board;

import org.jspecify.annotations.NullMarked;
