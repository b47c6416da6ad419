package org.galerna.mpi.collective;

import java.util.Locale;
import java.util.function.Consumer;
import org.galerna.collectives.Collectives;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.request.Stage;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/** How a collective operation is carried out, once its arguments are checked and its buffers staged. */
public enum Execution {
    /** The call returns when the part of the rank is done. */
    BLOCKING("") {
        @Override
        @Nullable
        Started run(Communicator comm, Consumer<Collectives> call, Runnable delivery) {
            call.accept(comm.collectives());
            delivery.run();
            return null;
        }

        @Override
        @Nullable
        Started runObjects(Communicator comm, ObjectExchange exchange) {
            exchange.lengths(comm.collectives());
            exchange.data(comm.collectives());
            exchange.deliver();
            return null;
        }
    },

    /** The call returns at once, with a request. */
    NONBLOCKING("I") {
        @Override
        @Nullable
        Started run(Communicator comm, Consumer<Collectives> call, Runnable delivery) {
            return new Started(comm.nonblockingCollectives().start(call), new Delivery(delivery));
        }

        @Override
        @Nullable
        Started runObjects(Communicator comm, ObjectExchange exchange) {
            return new Started(
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
    abstract @Nullable Started run(Communicator comm, Consumer<Collectives> call, Runnable delivery);

    /** Carries a collective of objects out. */
    abstract @Nullable Started runObjects(Communicator comm, ObjectExchange exchange);

    private static final class Delivery extends Stage {
        private final Runnable delivery;

        Delivery(Runnable delivery) {
            this.delivery = delivery;
        }

        @Override
        public Result finish() {
            delivery.run();
            return Result.NOTHING;
        }

        @Override
        public void cancel(Request operation) {
            throw new DeviceException(
                    ErrorClass.REQUEST, "a collective operation cannot be cancelled: all ranks take part in it");
        }
    }
}
