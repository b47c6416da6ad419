/**
 * Ranks started from Java: {@link org.galerna.ranks.Ranks} is the way in. References are never null unless they say so.
 */
@NullMarked
package org.galerna.ranks;

import org.jspecify.annotations.NullMarked;
