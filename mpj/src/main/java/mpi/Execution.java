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
            return Constants.REQUEST_NULL;
        }

        @Override
        Request runObjects(Intracomm comm, ObjectExchange exchange) {
            exchange.lengths(comm.collectives());
            exchange.data(comm.collectives());
            exchange.deliver();
            return Constants.REQUEST_NULL;
        }
    },

    /** The call returns at once, with a request. */
    NONBLOCKING("I") {
        @Override
        Request run(Intracomm comm, Consumer<Collectives> call, Runnable delivery) {
            return new Request(comm, comm.nonblockingCollectives().start(call), new Delivery(delivery));
        }

        @Override
        Request runObjects(Intracomm comm, ObjectExchange exchange) {
            return new Request(
                    comm,
                    comm.nonblockingCollectives().start(exchange::lengths, exchange::data),
                    new Delivery(exchange::deliver));
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
    abstract Request runObjects(Intracomm comm, ObjectExchange exchange);

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
        void cancel(org.galerna.device.Request operation) {
            throw Errors.wrong(
                    ErrorClass.REQUEST, "a collective operation cannot be cancelled: all ranks take part in it");
        }
    }
}
