package mpi;

/** What {@link MPI#MAXLOC} does to pairs of a value and its location. */
public class Maxloc extends User_function {
    /** The operation. */
    public Maxloc() {}

    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
        Constants.MAXLOC.Call(invec, inoffset, inoutvec, inoutoffset, count, datatype);
    }
}
