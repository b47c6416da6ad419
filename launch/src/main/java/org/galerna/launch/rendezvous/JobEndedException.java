package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.io.Serial;

/** A process of ranks has come when its job was ending already. */
public final class JobEndedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    JobEndedException(int rank) {
        super("the job of rank " + rank + " is ending");
    }
}
