package org.galerna.link.handshake;

import java.io.ByteArrayOutputStream;

/**
 * What two sides say to each other until both have proved a key. A proof is over the role of its maker and all that was said up to
 * its message, so it is worth nothing in another role, at another place or in another conversation: both sides put fresh random
 * bytes into their first messages. Each side keeps a transcript of its own; they are the same, or no proof holds. Used by one
 * thread.
 */
public final class Transcript {
    private final Authenticator authenticator;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private byte[] binding = {};

    /** Begins with what was said without a proof. */
    public Transcript(Authenticator authenticator, byte[]... openings) {
        this.authenticator = authenticator;
        add(openings);
    }

    /** From now on proofs hold on one connection alone. */
    public void bindTo(byte[] connection) {
        binding = connection;
    }

    /** Says something in a role; returns the proof that goes with it. */
    public byte[] say(String role, byte[]... message) {
        add(message);
        return authenticator.of(role, said.toByteArray(), binding);
    }

    /** Hears what the other side says in its role, and its proof; false if that does not hold, which ends the conversation. */
    public boolean hears(String role, byte[] proof, byte[]... message) {
        return Authenticator.equal(proof, say(role, message));
    }

    /** The key of this conversation. Both sides get the same one if they have said and heard the same so far. */
    public byte[] key() {
        return authenticator.of("session", said.toByteArray(), binding);
    }

    private void add(byte[]... message) {
        for (byte[] part : message) {
            said.writeBytes(part);
        }
    }
}
