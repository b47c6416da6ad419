/** What the files of all ranks say together. */
@NullMarked
package org.galerna.profile.analysis;

import org.jspecify.annotations.NullMarked;
