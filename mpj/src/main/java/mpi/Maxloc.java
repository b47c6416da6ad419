package mpi;

import org.galerna.collectives.reduction.Operator;
import org.galerna.mpi.collective.Reductions;

/** What {@link MPI#MAXLOC} does to pairs of a value and its location. */
public class Maxloc extends User_function {
    /** The operation. */
    public Maxloc() {}

    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
        Reductions.apply(Operator.MAXLOC, invec, inoffset, inoutvec, inoutoffset, count, datatype.inside);
    }
}
