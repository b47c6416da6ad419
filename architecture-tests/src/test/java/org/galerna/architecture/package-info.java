/**
 * The rules of the house: which layer may know which, what a library may depend on, how sources are laid out. They look
 * at the compiled classes and at the source files of all modules; nothing is run.
 */
@NullMarked
package org.galerna.architecture;

import org.jspecify.annotations.NullMarked;
