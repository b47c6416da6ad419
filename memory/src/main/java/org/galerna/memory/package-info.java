/**
 * Rings in shared memory, layouts of what lies in them, fences, locks and waiting: what everything small travels
 * through. Knows no other package of Galerna. References are never null unless they say so.
 */
@NullMarked
package org.galerna.memory;

import org.jspecify.annotations.NullMarked;
