/**
 * Large messages over networks that read and write the memory of peers: pieces, registered buffers, and what the two ends say to
 * each other. A network adds how an operation is started ({@link org.galerna.link.transfer.TransferPeer}) and how it is found to be
 * over ({@link org.galerna.link.transfer.TransferNetwork}).
 */
@NullMarked
package org.galerna.link.transfer;

import org.jspecify.annotations.NullMarked;
