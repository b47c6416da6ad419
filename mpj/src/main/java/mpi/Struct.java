package mpi;

import java.util.Arrays;
import org.galerna.mpi.datatype.DerivedTypes;
import org.jspecify.annotations.Nullable;

/** Blocks of different types; see {@link Datatype#Struct}. */
public class Struct extends Datatype {
    /**
     * A structure.
     *
     * @throws MPIException if the arrays differ in length, a length is negative, base types differ, or a type has been freed
     */
    public Struct(int[] lengths, int[] displacements, Datatype[] types) throws MPIException {
        super(
                baseTypeOf(types),
                Errors.call("Datatype.Struct", () -> DerivedTypes.struct(lengths, displacements, inside(types))));
    }

    private static org.galerna.mpi.datatype.@Nullable Datatype[] inside(Datatype[] types) {
        org.galerna.mpi.datatype.@Nullable Datatype[] members = new org.galerna.mpi.datatype.Datatype[types.length];
        Arrays.setAll(members, block -> Datatype.inside(types[block]));
        return members;
    }

    private static int baseTypeOf(Datatype[] types) {
        if (types != null) {
            for (Datatype type : types) {
                if (type != null && type.inside.layout().element() != null) {
                    return type.baseType;
                }
            }
        }
        return BasicType.NULL;
    }
}
