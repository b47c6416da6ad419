/**
 * Pictures of a field: a diverging colour map, still pictures with a legend, and animations. No fonts of the platform
 * are used, which a minimal machine does not have; the legend is drawn with {@link org.galerna.applications.picture.PixelFont}.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.applications.picture;

import org.jspecify.annotations.NullMarked;
