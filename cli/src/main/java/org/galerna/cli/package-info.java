/**
 * The {@code galerna} command line: one class per command.
 */
@NullMarked
package org.galerna.cli;

import org.jspecify.annotations.NullMarked;
