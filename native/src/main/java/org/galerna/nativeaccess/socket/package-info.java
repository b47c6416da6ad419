/** Sockets below those of the JDK. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.socket;

import org.jspecify.annotations.NullMarked;
