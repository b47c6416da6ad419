/** Other processes of the same user, and what the system does to this one on their behalf. */
@NullMarked
package org.galerna.nativeaccess.process;

import org.jspecify.annotations.NullMarked;
