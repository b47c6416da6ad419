/** Looking at jobs that run: {@code galerna jobs}, {@code top} and {@code where}. */
@NullMarked
package org.galerna.cli.observe;

import org.jspecify.annotations.NullMarked;
