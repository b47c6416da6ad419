/** LU factorization of a dense matrix that ranks share. References are never null unless they say so. */
@NullMarked
package org.galerna.applications.lu;

import org.jspecify.annotations.NullMarked;
