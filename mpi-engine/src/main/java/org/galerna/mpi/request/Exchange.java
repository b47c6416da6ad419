package org.galerna.mpi.request;

import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.object.ObjectChannel;
import org.jspecify.annotations.Nullable;

/** A send and a receive in one call, so that ranks which exchange messages need not agree about the order. */
public final class Exchange {
    private Exchange() {}

    /** Sends one message while receiving another. */
    public static <S> S sendrecv(
            PointToPoint messages,
            Statuses<S> statuses,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            @Nullable Datatype sendType,
            int dest,
            int sendTag,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            @Nullable Datatype receiveType,
            int source,
            int receiveTag) {
        MessageCheck check = messages.check();
        try {
            Object out = check.memory(sendBuffer, sendType);
            Object in = check.memory(receiveBuffer, receiveType);
            check.send(out, sendOffset, sendCount, sendType, dest, sendTag);
            check.receive(in, receiveOffset, receiveCount, receiveType, source, receiveTag);
            int target =
                    dest == Group.NULL_PROCESS ? dest : messages.communicator().peer(dest);
            if (sendType != null && isPlain(sendType, dest) && receiveType != null && isPlain(receiveType, source)) {
                long length = (long) receiveCount * receiveType.itemBytes();
                Request message = messages.irecv(in, receiveType.startOf(receiveOffset), length, source, receiveTag);
                try {
                    messages.sendChecked(SendMode.STANDARD, out, sendOffset, sendCount, sendType, target, sendTag);
                } catch (RuntimeException failure) {
                    message.cancel();
                    throw failure;
                }
                message.await();
                return messages.ended(statuses, message);
            }
            return exchange(
                    messages,
                    statuses,
                    in,
                    receiveOffset,
                    receiveCount,
                    receiveType,
                    source,
                    receiveTag,
                    dest == Group.NULL_PROCESS
                            ? () -> {}
                            : () -> messages.sendChecked(
                                    SendMode.STANDARD,
                                    out,
                                    sendOffset,
                                    sendCount,
                                    Datatype.checked(sendType),
                                    target,
                                    sendTag));
        } catch (RuntimeException failure) {
            throw messages.communicator()
                    .failed(
                            check.describeSend("Sendrecv", sendBuffer, sendOffset, sendCount, sendType, dest, sendTag)
                                    + ", and " + Datatype.items(receiveCount, receiveType) + " from "
                                    + check.describePeer(source),
                            failure);
        }
    }

    /** Whether a message lies in its buffer as it is sent, and there is a partner. */
    private static boolean isPlain(Datatype type, int peer) {
        return peer != Group.NULL_PROCESS && type.arrayClass() != null;
    }

    /** Sends what is in a buffer and receives another message into it: the outgoing message is a copy. */
    public static <S> S replace(
            PointToPoint messages,
            Statuses<S> statuses,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int dest,
            int sendTag,
            int source,
            int receiveTag) {
        MessageCheck check = messages.check();
        try {
            Object data = check.memory(buffer, type);
            check.send(data, offset, count, type, dest, sendTag);
            check.receive(data, offset, count, type, source, receiveTag);
            Runnable send = dest == Group.NULL_PROCESS
                    ? () -> {}
                    : copied(messages, data, offset, count, Datatype.checked(type), dest, sendTag);
            return exchange(messages, statuses, data, offset, count, type, source, receiveTag, send);
        } catch (RuntimeException failure) {
            throw messages.communicator()
                    .failed(
                            check.describeSend("Sendrecv_replace", buffer, offset, count, type, dest, sendTag)
                                    + ", from " + check.describePeer(source),
                            failure);
        }
    }

    /** Copies a message, and returns what sends the copy. */
    private static Runnable copied(
            PointToPoint messages, Object data, int offset, int count, Datatype type, int dest, int tag) {
        int target = messages.communicator().peer(dest);
        if (type.isObject()) {
            ObjectChannel.Message message = messages.encode(data, offset, count, type);
            return () -> messages.sendObjects(message, false, target, tag);
        }
        Staging staging = messages.communicator().session().staging();
        Object copy = staging.pack(type.layout(), type.element(), data, offset, count);
        Device device = messages.communicator().device();
        return () -> {
            device.send(copy, 0, (long) count * type.itemBytes(), target, tag, messages.context());
            staging.give(type.elementOfOperation(), copy);
        };
    }

    private static <S> S exchange(
            PointToPoint messages,
            Statuses<S> statuses,
            Object data,
            int offset,
            int count,
            @Nullable Datatype type,
            int source,
            int tag,
            Runnable send) {
        Waited<S> receive = new Waited<>(messages.communicator(), statuses);
        if (source == Group.NULL_PROCESS) {
            receive.begin(Stage.Result.OF_NOBODY);
        } else {
            messages.startReceive(receive, data, offset, count, Datatype.checked(type), source, tag);
        }
        try {
            send.run();
        } catch (RuntimeException failure) {
            receive.cancel("Sendrecv");
            throw failure;
        }
        return receive.finish();
    }
}
