/** Where and when threads run, and sleep. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.thread;

import org.jspecify.annotations.NullMarked;
