/** Fourier transforms of grids that ranks share. References are never null unless they say so. */
@NullMarked
package org.galerna.applications.fourier;

import org.jspecify.annotations.NullMarked;
