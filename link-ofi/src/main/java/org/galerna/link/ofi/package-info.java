/**
 * The link over libfabric: Slingshot, EFA, Omni-Path, InfiniBand and whatever else it has a provider for.
 */
@NullMarked
package org.galerna.link.ofi;

import org.jspecify.annotations.NullMarked;
