/**
 * Programs that are given as source files: compiled in memory, as {@code java Hello.java} does. References are never null
 * unless they say so.
 */
@NullMarked
package org.galerna.cli.source;

import org.jspecify.annotations.NullMarked;
