/** Memory without the checks of segments, copies of it, and fences between threads. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.memory;

import org.jspecify.annotations.NullMarked;
