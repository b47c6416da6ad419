/**
 * Memory that the provider may read and write.
 */
@NullMarked
package org.galerna.link.ofi.registered;

import org.jspecify.annotations.NullMarked;
