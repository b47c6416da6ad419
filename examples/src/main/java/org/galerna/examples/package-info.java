/** MPJ programs to copy from. Each is complete, and short. */
@NullMarked
package org.galerna.examples;

import org.jspecify.annotations.NullMarked;
