/**
 * Bindings to libfabric, which has providers for most networks of clusters (Slingshot, EFA, Omni-Path, InfiniBand, sockets), used
 * from Java without native code of our own. References are never null unless they say so.
 */
@NullMarked
package org.galerna.nativeaccess.ofi;

import org.jspecify.annotations.NullMarked;
