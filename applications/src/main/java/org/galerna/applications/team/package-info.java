/** The threads of a rank, for programs that use several. References are never null unless they say so. */
@NullMarked
package org.galerna.applications.team;

import org.jspecify.annotations.NullMarked;
