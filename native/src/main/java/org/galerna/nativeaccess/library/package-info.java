/** Libraries that are loaded when they are there, and the signals of the virtual machine that they must not take. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.library;

import org.jspecify.annotations.NullMarked;
