/** Molecular dynamics on ranks that share a box. References are never null unless they say so. */
@NullMarked
package org.galerna.applications.molecular;

import org.jspecify.annotations.NullMarked;
