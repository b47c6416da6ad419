/** The file that a rank leaves behind. */
@NullMarked
package org.galerna.profile.file;

import org.jspecify.annotations.NullMarked;
