package org.galerna.nativeaccess.socket;

/**
 * How the system at the other end of a connection answers, whatever the process there does.
 *
 * @param unanswered packets since its last answer that want one, repeated ones included
 * @param quietMillis time since its last answer
 */
public record SystemAnswers(int unanswered, long quietMillis) {
    /** It owes nothing. */
    public static final SystemAnswers COMPLETE = new SystemAnswers(0, 0);
}
