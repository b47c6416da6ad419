package org.galerna.mpi.collective;

import org.galerna.collectives.reduction.Operator;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * How a reduction combines items: by a predefined operator or by a function of the program.
 *
 * @param name what messages call it
 * @param commutative whether the order of the operands does not matter
 * @param usable false if the program has given it up
 */
public record Operation(
        String name,
        @Nullable Operator operator,
        @Nullable UserFunction function,
        boolean commutative,
        boolean usable) {
    /** A predefined one. */
    public static Operation of(Operator operator) {
        return new Operation("MPI." + operator, operator, null, true, true);
    }

    /** One of the program's own. */
    public static Operation of(UserFunction function, boolean commutative, boolean usable) {
        return new Operation("a user function", null, function, commutative, usable);
    }

    void requireUsable() {
        if (!usable) {
            throw new DeviceException(ErrorClass.OP, "the operation has been freed");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
