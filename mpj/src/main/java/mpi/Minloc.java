package mpi;

/** What {@link MPI#MINLOC} does to pairs of a value and its location. */
public class Minloc extends User_function {
    /** The operation. */
    public Minloc() {}

    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
        Constants.MINLOC.Call(invec, inoffset, inoutvec, inoutoffset, count, datatype);
    }
}
