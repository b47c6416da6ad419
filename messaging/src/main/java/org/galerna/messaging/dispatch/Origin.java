package org.galerna.messaging.dispatch;

import org.galerna.messaging.MessagingException;
import org.galerna.messaging.flow.Advance;

/** Where messages come from, and where their answers go: a connection with one start of another node. Any thread. */
public interface Origin {
    /** Number of the other node. */
    int peer();

    /** Where ordered messages of that node wait. */
    Dispatcher.Lane lane();

    /** Which of its messages may go beyond the window. */
    Advance advance();

    /** Its requests that are to be answered later. */
    LateRequests late();

    /** Says that some of what has come was processed. */
    void processed(int messages, int bytes);

    /** Answers a request. */
    void respond(long request, Object response);

    /** Lets a request fail. What is too long for a frame is cut, so that it can always be sent. */
    void respondFailure(long request, MessagingException.Reason kind, String text);

    /** Gives the connection up. Idempotent. */
    void lose(String reason);
}
