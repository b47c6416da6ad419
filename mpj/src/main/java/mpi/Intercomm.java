package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Intercommunicator;
import org.jspecify.annotations.Nullable;

/**
 * A communicator between two groups: messages go to and come from ranks of the other group; {@link #Size} and
 * {@link #Rank} are those of the own group.
 */
public class Intercomm extends Comm {
    private final Intercommunicator groups;

    Intercomm(Environment environment, Intercommunicator groups) {
        super(environment, groups.between());
        this.groups = groups;
    }

    /** Number of ranks in the other group. */
    public int Remote_size() throws MPIException {
        requireUsable("Intercomm.Remote_size");
        return inside.peers().size();
    }

    /** The other group. */
    public Group Remote_group() throws MPIException {
        requireUsable("Intercomm.Remote_group");
        return new Group(new mpjdev.Group(inside.remote()));
    }

    @Override
    public boolean Test_inter() throws MPIException {
        requireUsable("Comm.Test_inter");
        return true;
    }

    /**
     * A communicator of both groups; all ranks of both have to call it.
     *
     * @param high the group that says true comes last; where both say the same, the one whose rank 0 has the lower rank
     *     in the job comes first
     */
    public Intracomm Merge(boolean high) throws MPIException {
        return call(inside.describe("Intercomm.Merge"), () -> {
            Intracomm merged = new Intracomm(environment(), groups.merge(high));
            merged.inheritFrom(this);
            return merged;
        });
    }

    @Override
    public Object clone() throws MPIException {
        return call(
                inside.describe("Intercomm.clone"), () -> duplicated(new Intercomm(environment(), groups.duplicate())));
    }

    /** The communicator of a group that a program gives as a {@link Comm}. */
    static Intracomm intracomm(@Nullable Comm comm) {
        if (comm != null && comm.here() instanceof Intracomm within) {
            return within;
        }
        throw Errors.wrong(ErrorClass.COMM, "the local communicator must be one within a group");
    }
}
