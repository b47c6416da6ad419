/**
 * Bindings to UCP, the tagged messages of UCX ({@code libucp}): InfiniBand, RoCE, shared memory, sockets, used from Java without
 * native code of our own. References are never null unless they say so.
 */
@NullMarked
package org.galerna.nativeaccess.ucx;

import org.jspecify.annotations.NullMarked;
