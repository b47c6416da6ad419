/**
 * The one layer under all faces: a {@link org.galerna.link.Link} is the attachment of a rank to a network and carries
 * small frames and large regions to its peers; a {@link org.galerna.link.Wireup} is how ranks meet before that.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.link;

import org.jspecify.annotations.NullMarked;
