/**
 * What a rank has of its provider: the endpoint, its options, and the buffers for messages that come in.
 */
@NullMarked
package org.galerna.link.ofi.adapter;

import org.jspecify.annotations.NullMarked;
