/**
 * The program that is to be run: a class, a jar or a source file, and the JVM for it.
 */
@NullMarked
package org.galerna.cli.program;

import org.jspecify.annotations.NullMarked;
