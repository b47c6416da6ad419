package mpi;

import java.util.function.Supplier;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * From what goes wrong inside to what the program sees. Inside, every failure is an unchecked exception; the methods of
 * the public classes turn it into an {@link MPIException} and apply the error handler.
 */
final class Errors {
    private Errors() {}

    /** A wrong argument, found inside; {@link #failed} says later in which call. */
    static DeviceException wrong(ErrorClass errorClass, String message) {
        return new DeviceException(errorClass, message);
    }

    static ErrorClass classOf(Throwable failure) {
        // no switch: all ranks that one of them has left would make a class for it, at the same time
        if (failure instanceof MPIException known) {
            return known.errorClass();
        }
        if (failure instanceof DeviceException known) {
            return known.errorClass();
        }
        return failure instanceof IllegalArgumentException
                        || failure instanceof IndexOutOfBoundsException
                        || failure instanceof ArithmeticException
                        || failure instanceof NullPointerException
                ? ErrorClass.ARG
                : ErrorClass.OTHER;
    }

    /**
     * The exception that a public method throws, after the error handler has had its say.
     *
     * @param comm communicator of the call
     * @param call the call and its arguments, in words
     */
    static MPIException failed(BaseComm comm, String call, RuntimeException failure) {
        return failed(comm.environment(), comm, call, failure);
    }

    /** As {@link #failed(BaseComm, String, RuntimeException)}, of a call that has nothing of any rank. */
    static MPIException failed(String call, RuntimeException failure) {
        return failed(Environment.ofCaller(), null, call, failure);
    }

    /** As {@link #failed(BaseComm, String, RuntimeException)}, of a call that belongs to no communicator. */
    static MPIException failed(Environment environment, String call, RuntimeException failure) {
        return failed(environment, null, call, failure);
    }

    /** Does what a method is for; a failure reaches the program as one of that call. */
    static <T extends @Nullable Object> T call(String call, Supplier<T> body) {
        try {
            return body.get();
        } catch (RuntimeException failure) {
            throw failed(call, failure);
        }
    }

    /** As {@link #call}, of a call of a rank and without a result. */
    static void run(Environment environment, String call, Runnable body) {
        try {
            body.run();
        } catch (RuntimeException failure) {
            throw failed(environment, call, failure);
        }
    }

    private static MPIException failed(
            Environment environment, @Nullable BaseComm comm, String call, RuntimeException failure) {
        MPIException raised;
        if (failure instanceof MPIException already) {
            raised = already;
        } else {
            Session session = environment.sessionOrNull();
            String who = session == null || comm != null
                    ? ""
                    : "rank " + session.wireup().rank() + ", ";
            String message = messageOf(failure);
            String self = comm == null ? "" : "rank " + comm.inside().rank() + ": ";
            // the call says so
            String rest = !self.isEmpty() && message.startsWith(self) ? message.substring(self.length()) : message;
            raised = new MPIException(classOf(failure), who + call + ": " + rest, failure);
        }
        Errhandler handler = comm == null ? environment.errorHandler() : comm.Errorhandler_get();
        if (handler.isFatal()) {
            Session session = environment.sessionOrNull();
            if (session != null) {
                session.abort(1, String.valueOf(raised.getMessage()));
            }
        }
        return raised;
    }

    private static String messageOf(RuntimeException failure) {
        if (failure instanceof NullPointerException) {
            return "an argument is null (" + failure.getMessage() + ")";
        }
        String message = failure.getMessage();
        if (failure instanceof ArithmeticException && String.valueOf(message).endsWith("overflow")) {
            return "the arguments describe more than " + Integer.MAX_VALUE + " elements or bytes";
        }
        return message != null ? message : failure.toString();
    }
}
