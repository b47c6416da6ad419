package mpi;

import java.util.Locale;
import java.util.function.Consumer;
import org.galerna.collectives.Collectives;
import org.galerna.device.ErrorClass;

/** How a collective operation is carried out, once its arguments are checked and its buffers staged. */
enum Execution {
    /** The call returns when the part of the rank is done. */
    BLOCKING("") {
        @Override
        Request run(Intracomm comm, Consumer<Collectives> call, Runnable delivery) {
            call.accept(comm.collectives());
            delivery.run();
            return MPI.REQUEST_NULL;
        }

        @Override
        Request runObjects(Runnable call) {
            call.run();
            return MPI.REQUEST_NULL;
        }
    },

    /** The call returns at once, with a request. */
    NONBLOCKING("I") {
        @Override
        Request run(Intracomm comm, Consumer<Collectives> call, Runnable delivery) {
            return new Request(comm, comm.nonblockingCollectives().start(call), new Delivery(delivery));
        }

        @Override
        Request runObjects(Runnable call) {
            throw Errors.wrong(
                    ErrorClass.TYPE,
                    "the lengths of objects have to be exchanged before they are, which takes a blocking operation;"
                            + " without blocking, send serialized objects as MPI.BYTE");
        }
    };

    private final String prefix;

    Execution(String prefix) {
        this.prefix = prefix;
    }

    /** The name of an operation carried out like this. */
    String name(String operation) {
        return prefix.isEmpty() ? operation : prefix + operation.toLowerCase(Locale.ROOT);
    }

    /**
     * Carries a collective out.
     *
     * @param call calls it on the collectives that it is given
     * @param delivery brings what has been received to the program's buffer
     */
    abstract Request run(Intracomm comm, Consumer<Collectives> call, Runnable delivery);

    /** Carries a collective of objects out. */
    abstract Request runObjects(Runnable call);

    private static final class Delivery extends Stage {
        private final Runnable delivery;

        Delivery(Runnable delivery) {
            this.delivery = delivery;
        }

        @Override
        Status finish(Comm comm) {
            delivery.run();
            return new Status();
        }

        @Override
        boolean isCancellable() {
            return false;
        }
    }
}
