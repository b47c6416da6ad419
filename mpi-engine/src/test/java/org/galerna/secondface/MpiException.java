package org.galerna.secondface;

import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;

/** A call failed. Unlike what the engine throws it is checked. */
final class MpiException extends Exception {
    private static final long serialVersionUID = 1L;

    private MpiException(String call, RuntimeException failure) {
        super(call + ": " + failure.getMessage(), failure);
    }

    /** The kind of failure. */
    ErrorClass getErrorClass() {
        return getCause() instanceof DeviceException known ? known.errorClass() : ErrorClass.OTHER;
    }

    /** Throws the exception of a call that has failed; the methods that programs call declare it. */
    static RuntimeException raise(String call, RuntimeException failure) {
        throw MpiException.<RuntimeException>unchecked(new MpiException(call, failure));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> E unchecked(Exception exception) throws E {
        throw (E) exception;
    }
}
