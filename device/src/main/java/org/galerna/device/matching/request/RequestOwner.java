package org.galerna.device.matching.request;

import org.galerna.device.Conversation;
import org.galerna.device.DeviceException;
import org.galerna.device.support.ProgressLoop;
import org.galerna.link.CommunicationException;
import org.galerna.link.Rma;
import org.galerna.link.SharedHeapLink;
import org.jspecify.annotations.Nullable;

/** The device of a request, as the request sees it. */
public interface RequestOwner {
    /** The rank of the device. */
    int rank();

    /** What makes progress while somebody waits for the request. */
    ProgressLoop progress();

    /** What the messages of a context are for; null if nobody has said so. */
    @Nullable
    Conversation conversation(int context);

    /** Access to the memory of a peer. */
    Rma rma(int peer);

    /** The heap that this rank shares with a peer. */
    SharedHeapLink heap(int peer);

    /** Lets the sender of an announced message be done with it. */
    void sendDone(int peer, long sendId);

    /** What an operation fails with whose transfer from a peer has failed. */
    DeviceException failed(String operation, int peer, CommunicationException failure);

    /** Whether no message will ever come for a receive; by itself, or with all other ranks asleep. */
    boolean isHopeless(ReceiveRequest request, boolean alone);

    /** Fails a receive for which no message will ever come. */
    void failIfHopeless(ReceiveRequest request, boolean alone);

    /** Fails a receive whose peer has gone on to something else. */
    void failIfOutOfStep(ReceiveRequest request);

    /** Takes a receive back; true if no message had met it. */
    boolean cancel(ReceiveRequest request);

    /** Asks the receiver of a message to give it back; the answer comes later. */
    void askToCancel(SendRequest request);
}
