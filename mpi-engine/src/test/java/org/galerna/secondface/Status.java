package org.galerna.secondface;

import org.galerna.mpi.group.Group;
import org.galerna.mpi.request.PointToPoint;
import org.galerna.mpi.request.Statuses;

/** What is known of a message. */
record Status(int source, int tag, long bytes, boolean isCancelled, int index) {
    static final Statuses<Status> KINDS = new Kinds();

    /** Number of whole items in the message. */
    int getCount(Datatype type) {
        return (int) (bytes / type.getSize());
    }

    private static final class Kinds implements Statuses<Status> {
        @Override
        public Status empty() {
            return new Status(Mpi.ANY_SOURCE, Mpi.ANY_TAG, 0, false, 0);
        }

        @Override
        public Status ofMessage(int source, int tag, long bytes) {
            int from = source == Group.NULL_PROCESS ? Mpi.PROC_NULL : source;
            return new Status(from, tag == PointToPoint.ANY_TAG ? Mpi.ANY_TAG : tag, bytes, false, 0);
        }

        @Override
        public Status ofObjects(int source, int tag, int objects) {
            return ofMessage(source, tag, objects);
        }

        @Override
        public Status ofCancelled() {
            return new Status(Mpi.ANY_SOURCE, Mpi.ANY_TAG, 0, true, 0);
        }

        @Override
        public Status at(Status status, int index) {
            int shown = index == Group.UNDEFINED ? Mpi.UNDEFINED : index;
            return new Status(status.source, status.tag, status.bytes, status.isCancelled, shown);
        }

        @Override
        public Status[] array(int length) {
            return new Status[length];
        }

        @Override
        public RuntimeException failed(String call, RuntimeException failure) {
            return MpiException.raise(call, failure);
        }
    }
}
