/**
 * Watching a job from outside: where the ranks are, and whether any of them can still go on. References are never null
 * unless they say so.
 */
@NullMarked
package org.galerna.launch.watch;

import org.jspecify.annotations.NullMarked;
