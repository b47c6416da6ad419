package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Layout;

/** Blocks of different types; see {@link Datatype#Struct}. */
public class Struct extends Datatype {
    /**
     * A structure.
     *
     * @throws MPIException if the arrays differ in length, a length is negative, base types differ, or a type has been freed
     */
    public Struct(int[] lengths, int[] displacements, Datatype[] types) throws MPIException {
        super(baseTypeOf(types), layout(lengths, displacements, types));
    }

    private static int baseTypeOf(Datatype[] types) {
        if (types != null) {
            for (Datatype type : types) {
                if (type != null && type.layout.element() != null) {
                    return type.baseType;
                }
            }
        }
        return BasicType.NULL;
    }

    private static Layout layout(int[] lengths, int[] displacements, Datatype[] types) {
        try {
            Indexed.checkBlocks(lengths, displacements);
            if (types.length != lengths.length) {
                throw Errors.wrong(
                        ErrorClass.ARG,
                        "there are " + lengths.length + " block lengths but " + types.length + " datatypes");
            }
            Layout[] layouts = new Layout[types.length];
            for (int block = 0; block < types.length; block++) {
                layouts[block] = Datatype.usable(types[block]).layout;
            }
            return Layout.struct(lengths, Indexed.inElements(displacements, 1), layouts);
        } catch (IllegalArgumentException mixed) {
            throw Errors.failed("Datatype.Struct", Errors.wrong(ErrorClass.TYPE, String.valueOf(mixed.getMessage())));
        } catch (RuntimeException failure) {
            throw Errors.failed("Datatype.Struct", failure);
        }
    }
}
