/**
 * The link over adapters for InfiniBand, RoCE and iWARP: frames in messages of reliable connected queue pairs, large
 * transfers by RDMA read and write. References are never null unless they say so.
 */
@NullMarked
package org.galerna.link.verbs;

import org.jspecify.annotations.NullMarked;
