package org.galerna.link.verbs.connection;

import org.galerna.nativeaccess.verbs.SendRequest;

/**
 * An RDMA read or write under way.
 *
 * @param read whether it reads
 * @param local address in this process
 * @param localKey of the region around it
 * @param length bytes
 * @param remote address at the peer
 * @param remoteKey of the region around it
 * @param step told when it is over, by the polling thread
 */
public record RemoteOperation(
        boolean read, long local, int localKey, int length, long remote, int remoteKey, Step step) {
    /** What comes next. */
    public interface Step {
        /** It has succeeded. */
        void done();

        /** It has failed, or the peer is gone. */
        void failed(String reason);
    }

    void fill(SendRequest request, long id) {
        if (read) {
            request.read(id, local, length, localKey, remote, remoteKey);
        } else {
            request.write(id, local, length, localKey, remote, remoteKey);
        }
    }
}
