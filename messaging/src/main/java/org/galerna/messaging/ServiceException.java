package org.galerna.messaging;

/**
 * A method of a service has thrown at the other node. The cause has the trace of that node. An exception that the method
 * declares is thrown as itself, with this one as its cause, if it can be made from a text.
 */
public class ServiceException extends MessagingException {
    private static final long serialVersionUID = 1L;

    private final String thrownClass;

    /**
     * A failure of a method.
     *
     * @param thrownClass name of the class of what it has thrown
     * @param cause has the message and the trace of what it has thrown
     */
    public ServiceException(String message, String thrownClass, Throwable cause) {
        super(Reason.REMOTE, message, cause);
        this.thrownClass = thrownClass;
    }

    /** Name of the class of what the method has thrown. */
    public String thrownClass() {
        return thrownClass;
    }
}
