package org.galerna.mpi.collective;

import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Packing;
import org.jspecify.annotations.Nullable;

/** What the operations do to packed items of the datatypes. */
public final class Reductions {
    private Reductions() {}

    /** The reduction that an operation is for packed items of a datatype; not for objects. */
    static Reduction of(@Nullable Operation op, Datatype type) {
        if (op == null) {
            throw new DeviceException(ErrorClass.OP, "the operation is null");
        }
        op.requireUsable();
        if (op.operator() != null) {
            return predefined(op.operator(), type);
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
        Operator operator = op == null ? null : op.operator();
        return operator == null ? count : elements(operator, type, count);
    }

    private static int elements(Operator operator, Datatype type, int count) {
        int elements = Math.multiplyExact(count, type.layout().size());
        if (operator != Operator.MAXLOC && operator != Operator.MINLOC) {
            return elements;
        }
        if (type.layout().size() % 2 != 0) {
            throw new DeviceException(
                    ErrorClass.OP,
                    "MPI." + operator + " needs pairs of a value and a location, such as MPI.INT2, not " + type);
        }
        return elements / 2;
    }

    private static Reduction predefined(Operator operator, Datatype type) {
        ElementType element = type.element();
        boolean logical = element == ElementType.BOOLEAN;
        Class<?> arrayType = logical ? byte[].class : element.arrayClass();
        Reduction reduction = logical && !isLogical(operator) ? null : PrimitiveReductions.find(operator, arrayType);
        if (reduction == null) {
            throw new DeviceException(ErrorClass.OP, "MPI." + operator + " is not defined for " + type);
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
            Operator operator, Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
        Reduction reduction = predefined(operator, type);
        int elements = elements(operator, type, count);
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
