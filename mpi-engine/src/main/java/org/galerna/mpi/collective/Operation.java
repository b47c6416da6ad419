package org.galerna.mpi.collective;

import org.galerna.collectives.reduction.Operator;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * How a reduction combines items: by a predefined operator or by a function of the program.
 *
 * @param name what messages call it
 * @param pairs what messages call a datatype of two elements, for operators that need one
 * @param commutative whether the order of the operands does not matter
 * @param usable false if the program has given it up
 */
public record Operation(
        String name,
        @Nullable Operator operator,
        @Nullable UserFunction function,
        String pairs,
        boolean commutative,
        boolean usable) {
    /** A predefined one. */
    public static Operation of(String name, Operator operator, String pairs) {
        return new Operation(name, operator, null, pairs, true, true);
    }

    /** One of the program's own. */
    public static Operation of(UserFunction function, boolean commutative, boolean usable) {
        return new Operation("a user function", null, function, "", commutative, usable);
    }

    /** Throws an error if the program has given it up. */
    public void requireUsable() {
        if (!usable) {
            throw new DeviceException(ErrorClass.OP, "the operation has been freed");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
