package mpjdev;

/** What a communicator is to the device: the ranks it reaches and the contexts of its messages. */
public final class Comm {
    /** Context of messages that are sent. */
    public final int sendctxt;

    /** Context of messages that are received. */
    public final int recvctxt;

    /** Context of collective operations. */
    public final int collctxt;

    /** Ranks that messages go to: those of the remote group of an intercommunicator, otherwise all. */
    public final Group group;

    /** Ranks that this one belongs to. */
    public final Group localgroup;

    /**
     * A communicator.
     *
     * @param context first of the contexts that belong to it
     */
    public Comm(int context, Group localgroup, Group group) {
        this.sendctxt = context;
        this.recvctxt = context;
        this.collctxt = context + 1;
        this.group = group;
        this.localgroup = localgroup;
    }

    /** Number of ranks in the local group. */
    public int size() {
        return localgroup.size();
    }

    /** This rank in the local group. */
    public int id() {
        return localgroup.rank();
    }
}
