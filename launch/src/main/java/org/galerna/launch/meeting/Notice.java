package org.galerna.launch.meeting;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What two processes say to each other when they have proved the secret.
 *
 * @param rank whom it is about
 * @param number an exit status; otherwise 0
 * @param text a key, or a reason; otherwise empty
 * @param bytes a value; otherwise none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares notices
record Notice(Kind kind, int rank, int number, String text, byte[] bytes) {
    private static final byte[] NOTHING = {};
    private static final Kind[] KINDS = Kind.values();

    /** The order is part of what is said. */
    enum Kind {
        /** A rank publishes a value, at the next fence. */
        VALUE,
        /** A rank waits for all others. */
        FENCE,
        /** All have arrived, and this rank has been told what they have published. */
        FENCED,
        /** They never will. */
        BROKEN,
        /** A rank ends the job. */
        ABORT,
        /** A rank ends in good order. */
        BYE
    }

    static Notice of(Kind kind, int rank) {
        return new Notice(kind, rank, 0, "", NOTHING);
    }

    static Notice of(Kind kind, int rank, int number, String text) {
        return new Notice(kind, rank, number, text, NOTHING);
    }

    @SuppressWarnings("EnumOrdinal") // the order is part of what is said
    byte[] encode() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(all)) {
            out.writeByte(kind.ordinal());
            out.writeInt(rank);
            out.writeInt(number);
            out.writeUTF(text);
            out.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return all.toByteArray();
    }

    static Notice decode(byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        int kind = in.readByte();
        if (kind < 0 || kind >= KINDS.length) {
            throw new IOException("a notice of unknown kind " + kind);
        }
        return new Notice(KINDS[kind], in.readInt(), in.readInt(), in.readUTF(), in.readAllBytes());
    }
}
