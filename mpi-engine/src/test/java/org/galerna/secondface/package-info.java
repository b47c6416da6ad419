/** A second API on the engine, with names, numbers and exceptions of its own. It shows that a face needs no change below. */
@NullMarked
package org.galerna.secondface;

import org.jspecify.annotations.NullMarked;
