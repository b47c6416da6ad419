package org.galerna.secondface;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Face;
import org.galerna.mpi.comm.Intercommunicator;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.request.PersistentMessage;
import org.galerna.mpi.request.PointToPoint;
import org.galerna.mpi.request.SendMode;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/** A communicator: messages between two ranks. Buffers begin at their first element. */
class Comm {
    final Communicator inside;
    private final PointToPoint messages;

    Comm(Communicator inside) {
        this.inside = inside;
        this.messages = new PointToPoint(inside, Session.MESSAGES);
        inside.face(new Names());
    }

    /** What this API adds to the engine. */
    private static final class Names implements Face {
        @Override
        public RuntimeException failed(String call, RuntimeException failure) {
            return MpiException.raise(call, failure);
        }

        @Override
        public String nameOf(Word word) {
            return switch (word) {
                case NULL_PROCESS -> "MPI_PROC_NULL";
                case ATTACH -> "attachBuffer";
                default -> "MPI_" + word;
            };
        }

        @Override
        public Object memoryOf(Object buffer, org.galerna.mpi.datatype.@Nullable Datatype type) {
            return buffer;
        }
    }

    private static int peer(int rank) {
        return switch (rank) {
            case Mpi.ANY_SOURCE -> PointToPoint.ANY_SOURCE;
            case Mpi.PROC_NULL -> Group.NULL_PROCESS;
            default -> rank;
        };
    }

    private static int tag(int tag) {
        return tag == Mpi.ANY_TAG ? PointToPoint.ANY_TAG : tag;
    }

    final int getRank() {
        return inside.rank();
    }

    final int getSize() {
        return inside.size();
    }

    final void free() {
        inside.free();
    }

    final void send(Object buf, int count, Datatype type, int dest, int tag) throws MpiException {
        messages.send(SendMode.STANDARD, buf, 0, count, type.inside, peer(dest), tag);
    }

    final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MpiException {
        messages.send(SendMode.BUFFERED, buf, 0, count, type.inside, peer(dest), tag);
    }

    final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MpiException {
        return messages.recv(Status.KINDS, buf, 0, count, type.inside, peer(source), tag(tag));
    }

    final Request iSend(Object buf, int count, Datatype type, int dest, int tag) throws MpiException {
        Request request = new Request(inside);
        messages.isend(request, SendMode.STANDARD, buf, 0, count, type.inside, peer(dest), tag);
        return request;
    }

    final Request iRecv(Object buf, int count, Datatype type, int source, int tag) throws MpiException {
        Request request = new Request(inside);
        messages.irecv(request, buf, 0, count, type.inside, peer(source), tag(tag));
        return request;
    }

    final Prequest sendInit(Object buf, int count, Datatype type, int dest, int tag) throws MpiException {
        return new Prequest(
                inside,
                PersistentMessage.send(
                        messages, SendMode.STANDARD, "sendInit", buf, 0, count, type.inside, peer(dest), tag));
    }

    final Prequest recvInit(Object buf, int count, Datatype type, int source, int tag) throws MpiException {
        return new Prequest(
                inside,
                PersistentMessage.receive(messages, "recvInit", buf, 0, count, type.inside, peer(source), tag(tag)));
    }

    final Status probe(int source, int tag) throws MpiException {
        return messages.probe(Status.KINDS, peer(source), tag(tag));
    }

    /** A communicator between the group of a communicator and that of another one. */
    final Comm createIntercomm(Intracomm own, int ownLeader, int otherLeader, int tag) {
        return new Comm(Intercommunicator.create(inside, own.inside, ownLeader, otherLeader, tag)
                .between());
    }
}
