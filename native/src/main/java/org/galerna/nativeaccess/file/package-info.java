/** Files and their descriptors: what they are, waiting for them, and giving them to other processes. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.file;

import org.jspecify.annotations.NullMarked;
