/** Functions of the C library and calls of the system, and whether there are any here. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.call;

import org.jspecify.annotations.NullMarked;
