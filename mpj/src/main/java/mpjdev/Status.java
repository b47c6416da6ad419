package mpjdev;

/** Envelope of a message: where it came from, and which request of an array it completed. */
public class Status {
    /** Rank that sent the message, in the communicator it was received from. */
    public int source;

    /** Tag of the message. */
    public int tag;

    /** Index of the request in the array given to {@code Waitany} and its like; otherwise 0. */
    public int index;

    /** An envelope of zeros. */
    public Status() {}

    /** An envelope. */
    public Status(int source, int tag, int index) {
        this.source = source;
        this.tag = tag;
        this.index = index;
    }
}
