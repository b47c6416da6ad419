/**
 * Which core each rank runs on, and what keeps it there. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.place;

import org.jspecify.annotations.NullMarked;
