/**
 * How processes meet that a job manager has started, and that it gives no place to leave values: rank 0 listens, and leaves its
 * address and a secret in a file that all hosts see and only this user can read. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.meeting;

import org.jspecify.annotations.NullMarked;
