/** The library by which job managers start ranks. References are never null unless they say so. */
@NullMarked
package org.galerna.nativeaccess.pmix;

import org.jspecify.annotations.NullMarked;
