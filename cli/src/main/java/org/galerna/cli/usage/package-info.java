/**
 * What every command says of itself and of mistakes in a command line.
 */
@NullMarked
package org.galerna.cli.usage;

import org.jspecify.annotations.NullMarked;
