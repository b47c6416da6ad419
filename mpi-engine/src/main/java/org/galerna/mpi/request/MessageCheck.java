package org.galerna.mpi.request;

import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.memory.EarlyClasses;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Face.Word;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ProgramBuffer;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/** The arguments of messages between two ranks: what is wrong with them, and how errors describe them. */
final class MessageCheck {
    static { // for those who send what has been checked
        EarlyClasses.initialize(Stage.class, Stage.Result.class, Waited.class, PackedReceive.class);
    }

    private final Communicator comm;

    MessageCheck(Communicator comm) {
        this.comm = comm;
    }

    /** What the device takes in place of a buffer of the program. */
    Object memory(Object buffer, @Nullable Datatype type) {
        return ProgramBuffer.behind(comm.memoryOf(buffer, type), type);
    }

    void send(@Nullable Object data, int offset, int count, @Nullable Datatype type, int dest, int tag) {
        comm.checkUsable();
        int peers = comm.peers().size();
        if ((dest < 0 || dest >= peers) && dest != Group.NULL_PROCESS) {
            throw new DeviceException(
                    ErrorClass.RANK,
                    "there is no rank " + dest + " to send to; valid are 0 to " + (peers - 1) + " and "
                            + comm.nameOf(Word.NULL_PROCESS));
        }
        comm.session().checkSendTag(tag);
        if (dest != Group.NULL_PROCESS) {
            Datatype.checked(type).checkMessage(data, offset, count);
        }
    }

    void receive(@Nullable Object data, int offset, int count, @Nullable Datatype type, int source, int tag) {
        source(source, tag);
        if (source != Group.NULL_PROCESS) {
            Datatype.checked(type).checkMessage(data, offset, count);
            if (data instanceof MemorySegment segment && segment.isReadOnly()) {
                throw new DeviceException(ErrorClass.BUFFER, "the buffer can only be read");
            }
        }
    }

    void source(int source, int tag) {
        comm.checkUsable();
        if ((source < 0 || source >= comm.peers().size())
                && source != PointToPoint.ANY_SOURCE
                && source != Group.NULL_PROCESS) {
            throw noSource(source);
        }
        if (tag < 0 && tag != PointToPoint.ANY_TAG) {
            throw new DeviceException(
                    ErrorClass.TAG,
                    "the tag of a receive must be 0 or more, or " + comm.nameOf(Word.ANY_TAG) + "; it is " + tag);
        }
        comm.session().checkLargestTag(tag);
    }

    DeviceException noSource(int source) {
        return new DeviceException(
                ErrorClass.RANK,
                "there is no rank " + source + " to receive from; valid are 0 to "
                        + (comm.peers().size() - 1) + ", " + comm.nameOf(Word.ANY_SOURCE) + " and "
                        + comm.nameOf(Word.NULL_PROCESS));
    }

    // ---- descriptions

    String describeSend(
            String call, @Nullable Object buffer, int offset, int count, @Nullable Datatype type, int dest, int tag) {
        return describe(call, buffer, offset, count, type, "to " + describePeer(dest), tag);
    }

    String describeReceive(
            String call, @Nullable Object buffer, int offset, int count, @Nullable Datatype type, int source, int tag) {
        return describe(call, buffer, offset, count, type, "from " + describePeer(source), tag);
    }

    String describeProbe(String call, int source, int tag) {
        return comm.describe(call) + " for a message from " + describePeer(source) + ", " + describeTag(tag);
    }

    private String describe(
            String call,
            @Nullable Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            String peer,
            int tag) {
        return comm.describe(call) + ", " + Datatype.items(count, type) + " at offset " + offset + " of "
                + describe(buffer) + ", " + peer + ", " + describeTag(tag);
    }

    private static String describe(@Nullable Object buffer) {
        if (buffer == null) {
            return "null";
        }
        // no switch: when a rank is lost, many others need these words, and each would make a class for it
        return buffer instanceof MemorySegment segment
                ? "a segment of " + segment.byteSize() + " bytes"
                : buffer.getClass().getTypeName();
    }

    String describePeer(int peer) {
        return switch (peer) {
            case PointToPoint.ANY_SOURCE -> comm.nameOf(Word.ANY_SOURCE);
            case Group.NULL_PROCESS -> comm.nameOf(Word.NULL_PROCESS);
            default -> "rank " + peer;
        };
    }

    private String describeTag(int tag) {
        return "tag " + (tag == PointToPoint.ANY_TAG ? comm.nameOf(Word.ANY_TAG) : tag);
    }
}
