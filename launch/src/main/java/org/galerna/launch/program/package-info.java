/**
 * The user's program as the launcher sees it: the class path that all ranks of a job read from, the calls that are
 * redirected because they would end or change the whole JVM, and the main method. References are never null unless
 * they say so.
 */
@NullMarked
package org.galerna.launch.program;

import org.jspecify.annotations.NullMarked;
