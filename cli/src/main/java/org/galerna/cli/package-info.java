/**
 * The command {@code galerna}: a class for each command. References are never null unless they say so.
 */
@NullMarked
package org.galerna.cli;

import org.jspecify.annotations.NullMarked;
