/**
 * A rank's place among the files of its job, and the ranks that it meets there.
 */
@NullMarked
package org.galerna.link.shm.attachment;

import org.jspecify.annotations.NullMarked;
