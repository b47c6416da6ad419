/**
 * Large messages, in pieces that are read or written by the provider.
 */
@NullMarked
package org.galerna.link.ofi.transfer;

import org.jspecify.annotations.NullMarked;
