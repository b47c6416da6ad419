/** Several links used as one, each for the peers that it reaches best. References are never null unless they say so. */
@NullMarked
package org.galerna.link.hybrid;

import org.jspecify.annotations.NullMarked;
