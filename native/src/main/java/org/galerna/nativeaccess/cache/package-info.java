/** What is kept for this user from one start to the next. */
@NullMarked
package org.galerna.nativeaccess.cache;

import org.jspecify.annotations.NullMarked;
