package org.galerna.mpi.collective;

import org.galerna.collectives.Collectives;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/** The collectives that combine items, and what the operations do to packed items of the datatypes. */
public final class Reductions {
    private Reductions() {}

    // ---- the collectives; send is null for in place

    /** Combines on the root; {@code receive} is null on the others. */
    static @Nullable Started reduce(
            Communicator comm,
            Execution how,
            @Nullable BufferSpec send,
            @Nullable BufferSpec receive,
            @Nullable Operation op,
            int root) {
        BufferSpec operand = operand(send, receive);
        if (operand.areObjects()) {
            return how.runObjects(comm, ObjectCollectives.reduce(comm, operand, receive, op, root));
        }
        Reduction reduction = of(op, operand.type);
        int elements = elements(op, operand.type, operand.count(0));
        Runnable giveBack = stage(comm, send, receive, op);
        return how.run(
                comm,
                on -> on.reduce(array(send), start(send), array(receive), start(receive), elements, reduction, root),
                () -> {
                    if (receive != null) {
                        receive.deliver();
                    }
                    giveBack.run();
                });
    }

    /** Combines on all ranks. */
    static @Nullable Started allreduce(
            Communicator comm, Execution how, @Nullable BufferSpec send, BufferSpec receive, @Nullable Operation op) {
        return vector(comm, how, send, receive, op, comm.size(), Collectives::allreduce);
    }

    /** Combines the items of the ranks up to this one. */
    static @Nullable Started scan(
            Communicator comm, Execution how, @Nullable BufferSpec send, BufferSpec receive, @Nullable Operation op) {
        return vector(comm, how, send, receive, op, comm.rank() + 1, Collectives::scan);
    }

    /** Combines the items of the ranks before this one; rank 0 keeps its receive buffer as it is. */
    static @Nullable Started exscan(
            Communicator comm, Execution how, @Nullable BufferSpec send, BufferSpec receive, @Nullable Operation op) {
        return vector(comm, how, send, receive, op, comm.rank(), Collectives::exscan);
    }

    /** A collective whose result is as long as the operand, and on every rank. */
    private interface OfVectors {
        void run(
                Collectives on,
                @Nullable Object send,
                long sendStart,
                Object receive,
                long receiveStart,
                int elements,
                Reduction reduction);
    }

    /**
     * Combines the items of the first ranks.
     *
     * @param ranks how many; without any, the receive buffer stays as it is
     */
    private static @Nullable Started vector(
            Communicator comm,
            Execution how,
            @Nullable BufferSpec send,
            BufferSpec receive,
            @Nullable Operation op,
            int ranks,
            OfVectors collective) {
        if (receive.areObjects()) {
            BufferSpec operand = operand(send, receive);
            return how.runObjects(comm, ObjectCollectives.allreduce(comm, operand, receive, op, ranks));
        }
        Reduction reduction = of(op, receive.type);
        int elements = elements(op, receive.type, receive.count(0));
        Runnable giveBack = stage(comm, send, receive, op);
        return how.run(
                comm,
                on -> collective.run(on, array(send), start(send), receive.array, receive.start, elements, reduction),
                () -> {
                    if (ranks > 0) {
                        receive.deliver();
                    }
                    giveBack.run();
                });
    }

    /**
     * Combines the vectors and gives each rank its part.
     *
     * @param receive room for the part of this rank, or for the whole vector if it is there already
     */
    static @Nullable Started reduceScatter(
            Communicator comm,
            Execution how,
            @Nullable BufferSpec send,
            BufferSpec receive,
            int[] counts,
            @Nullable Operation op) {
        BufferSpec operand = operand(send, receive);
        if (operand.areObjects()) {
            return how.runObjects(comm, ObjectCollectives.reduceScatter(comm, operand, receive, counts, op));
        }
        Reduction reduction = of(op, operand.type);
        int[] elements = new int[counts.length];
        for (int rank = 0; rank < elements.length; rank++) {
            elements[rank] = elements(op, operand.type, counts[rank]);
        }
        Runnable giveBack = stage(comm, send, receive, op);
        int own = counts[comm.rank()];
        return how.run(
                comm,
                on -> on.reduceScatter(array(send), start(send), receive.array, receive.start, elements, reduction),
                () -> {
                    receive.deliver(own);
                    giveBack.run();
                });
    }

    /**
     * Memory for both sides; the result never overlaps an operand without being at the very same place.
     *
     * @return gives the memory back
     */
    private static Runnable stage(
            Communicator comm, @Nullable BufferSpec send, @Nullable BufferSpec receive, @Nullable Operation op) {
        Staging staging = comm.session().staging();
        boolean arrays = op != null && op.function() != null;
        if (send != null) {
            if (arrays) {
                send.needArray();
            }
            if (receive != null && send.overlapsElsewhere(receive)) {
                send.outgoingCopy(staging);
            } else {
                send.outgoing(staging);
            }
        }
        if (receive != null) {
            if (arrays) {
                receive.needArray();
            }
            receive.incomingBeside(send, staging);
        }
        return () -> DataMovement.giveBack(send, receive, staging);
    }

    /** The items of this rank. */
    private static BufferSpec operand(@Nullable BufferSpec send, @Nullable BufferSpec receive) {
        if (send != null) {
            return send;
        }
        if (receive == null) {
            throw new DeviceException(ErrorClass.BUFFER, "only a rank that receives the result has its items in place");
        }
        return receive;
    }

    private static @Nullable Object array(@Nullable BufferSpec items) {
        return items == null ? null : items.array;
    }

    private static long start(@Nullable BufferSpec items) {
        return items == null ? 0 : items.start;
    }

    // ---- operations on items

    /** The reduction that an operation is for packed items of a datatype; not for objects. */
    static Reduction of(@Nullable Operation op, Datatype type) {
        if (op == null) {
            throw new DeviceException(ErrorClass.OP, "the operation is null");
        }
        op.requireUsable();
        if (op.operator() != null) {
            return predefined(op, op.operator(), type);
        }
        if (op.function() == null || type.layout().size() == 0) {
            throw new DeviceException(ErrorClass.OP, "nothing can be combined with " + op + " on " + type);
        }
        return type.arrayClass() != null
                ? new UserReduction(op.function(), op.commutative(), type)
                : new GappedUserReduction(op.function(), op.commutative(), type);
    }

    /** As {@link #of}, of arrays of numbers and by a predefined operation; null if it is something else. */
    static @Nullable Reduction plain(Operation op, Datatype type) {
        Operator operator = op.operator();
        Class<?> array = type.arrayClass();
        return operator == null || array == null ? null : PrimitiveReductions.find(operator, array);
    }

    /** How many elements of the reduction {@code count} items are. */
    static int elements(@Nullable Operation op, Datatype type, int count) {
        if (op == null || op.operator() == null) {
            return count;
        }
        Operator operator = op.operator();
        int elements = Math.multiplyExact(count, type.layout().size());
        if (operator != Operator.MAXLOC && operator != Operator.MINLOC) {
            return elements;
        }
        if (type.layout().size() % 2 != 0) {
            throw new DeviceException(
                    ErrorClass.OP,
                    op + " needs pairs of a value and a location, such as " + op.pairs() + ", not " + type);
        }
        return elements / 2;
    }

    private static Reduction predefined(Operation op, Operator operator, Datatype type) {
        ElementType element = type.element();
        boolean logical = element == ElementType.BOOLEAN;
        Class<?> arrayType = logical ? byte[].class : element.arrayClass();
        Reduction reduction = logical && !isLogical(operator) ? null : PrimitiveReductions.find(operator, arrayType);
        if (reduction == null) {
            throw new DeviceException(ErrorClass.OP, op + " is not defined for " + type);
        }
        return reduction;
    }

    private static boolean isLogical(Operator operator) {
        return switch (operator) {
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> true;
            default -> false;
        };
    }

    /** Applies a predefined operation to arrays of the program. */
    public static void apply(
            Operation op, Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
        Reduction reduction = of(op, type);
        int elements = elements(op, type, count);
        if (type.arrayClass() != null) {
            long bytes = type.elementBytes();
            reduction.apply(in, inOffset * bytes, inOut, inOutOffset * bytes, elements);
            return;
        }
        ElementType element = type.element();
        Object left = Packing.pack(type.layout(), element, in, inOffset, count);
        Object right = Packing.pack(type.layout(), element, inOut, inOutOffset, count);
        reduction.apply(left, 0, right, 0, elements);
        Packing.unpack(type.layout(), element, right, 0, count * type.layout().size(), inOut, inOutOffset);
    }

    /** A function of the program on items that lie side by side. */
    private static class UserReduction implements Reduction {
        final UserFunction function;
        final Datatype type;
        final ElementType element;
        private final boolean commutative;

        UserReduction(UserFunction function, boolean commutative, Datatype type) {
            this.function = function;
            this.commutative = commutative;
            this.type = type;
            this.element = type.element();
        }

        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            long bytes = type.elementBytes();
            function.apply(in, (int) (inOffset / bytes), inOut, (int) (inOutOffset / bytes), count);
        }

        @Override
        public int elementSize() {
            return type.itemBytes();
        }

        @Override
        public boolean commutative() {
            return commutative;
        }

        @Override
        public Object allocate(int count) {
            return Packing.allocate(type.layout(), element, count);
        }

        @Override
        public Class<?> memoryType() {
            return element == ElementType.BOOLEAN ? byte[].class : element.arrayClass();
        }
    }

    /** A function of the program on items with gaps, which it sees as they lie in its own arrays. */
    private static final class GappedUserReduction extends UserReduction {
        GappedUserReduction(UserFunction function, boolean commutative, Datatype type) {
            super(function, commutative, type);
        }

        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            int items = type.layout().size() * count;
            int length = type.layout().span(count);
            int origin = type.layout().originIn(count);
            Object left = element.newArray(length);
            Object right = element.newArray(length);
            int bytes = type.elementBytes();
            Packing.unpack(type.layout(), element, in, (int) (inOffset / bytes), items, left, origin);
            Packing.unpack(type.layout(), element, inOut, (int) (inOutOffset / bytes), items, right, origin);
            function.apply(left, origin, right, origin, count);
            Packing.pack(type.layout(), element, right, origin, count, inOut, (int) (inOutOffset / bytes));
        }
    }
}
