package org.galerna.link.verbs.transfer;

import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.RemoteOperation;
import org.galerna.link.verbs.registered.StagingPool;
import org.galerna.link.verbs.wire.TransferFrame;
import org.jspecify.annotations.Nullable;

/** A piece of a transfer that is under way. */
final class TransferPiece implements RemoteOperation.Step {
    private final Transfer transfer;
    private final StagingPool.@Nullable Buffer buffer;
    private final long offset;
    private final int length;

    /**
     * A piece.
     *
     * @param buffer that it goes through; null if it needs none
     * @param offset of its first byte in the transfer
     */
    TransferPiece(Transfer transfer, StagingPool.@Nullable Buffer buffer, long offset, int length) {
        this.transfer = transfer;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
    }

    Connection connection() {
        return transfer.connection();
    }

    StagingPool.@Nullable Buffer buffer() {
        return buffer;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** The owner of the region has answered. */
    void answered(int status) {
        transfer.pieceOver(this, status == TransferFrame.DONE ? null : TransferFrame.describe(status));
    }

    @Override
    public void done() {
        transfer.pieceOver(this, null);
    }

    @Override
    public void failed(String reason) {
        transfer.pieceOver(this, reason);
    }
}
