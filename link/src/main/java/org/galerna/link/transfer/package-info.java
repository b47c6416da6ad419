/**
 * Large messages over networks that read and write the memory of peers: pieces, registered buffers, and what the two ends say to
 * each other. A network adds how an operation is started ({@link org.galerna.link.transfer.TransferPeer}) and how it is found to be
 * over ({@link org.galerna.link.transfer.TransferNetwork}). Where frames come in messages that a completion tells of, too, it looks for them by
 * {@link org.galerna.link.transfer.CompletionRounds} and takes them apart by {@link org.galerna.link.transfer.InboundMessages}.
 */
@NullMarked
package org.galerna.link.transfer;

import org.jspecify.annotations.NullMarked;
