/**
 * The layouts of what ranks send to each other.
 */
@NullMarked
package org.galerna.link.ofi.wire;

import org.jspecify.annotations.NullMarked;
