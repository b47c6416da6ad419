package org.galerna.link.pair;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.Entrance;
import org.galerna.link.Wireup;
import org.galerna.link.handshake.SecureLine;
import org.jspecify.annotations.Nullable;

/**
 * The wire-up of two processes that open a link: a job of two ranks. Values travel in one message of each at each fence.
 */
public final class PairWireup implements Wireup {
    private final SecureLine line;
    private final String job;
    private final int rank;
    private final Map<String, byte[]> unsent = new LinkedHashMap<>(); // guarded by this
    private final Map<String, byte[]> own = new ConcurrentHashMap<>(); // asked for during fences, too, as the next one
    private final Map<String, byte[]> others = new ConcurrentHashMap<>();
    private final @Nullable Entrance entrance;
    private final @Nullable String nameOfOther;
    private boolean ahead; // what the other side says at the next fence was heard already; guarded by this

    /**
     * The wire-up of one of the two.
     *
     * @param job name of the job, the same on both
     * @param rank 0 on one of them, 1 on the other
     */
    public PairWireup(SecureLine line, String job, int rank) {
        this(line, job, rank, null, null);
    }

    /**
     * As above, of processes that have more in common.
     *
     * @param entrance where links of the two come in; null if they listen themselves
     * @param nameOfOther what people know the other process as; null if they do not know of it
     */
    public PairWireup(
            SecureLine line, String job, int rank, @Nullable Entrance entrance, @Nullable String nameOfOther) {
        this.line = line;
        this.job = job;
        this.rank = rank;
        this.entrance = entrance;
        this.nameOfOther = nameOfOther;
    }

    @Override
    public String job() {
        return job;
    }

    @Override
    public Optional<String> nameOf(int other) {
        return Optional.ofNullable(nameOfOther);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return 2;
    }

    @Override
    public synchronized void put(String key, byte[] value) {
        if (value.length > MAXIMUM_VALUE) {
            throw new IllegalArgumentException("value of key " + key + " has " + value.length + " bytes, at most "
                    + MAXIMUM_VALUE + " are carried");
        }
        unsent.put(key, value.clone());
        own.put(key, value.clone());
    }

    @Override
    public synchronized void fence() {
        try {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(message);
            out.writeInt(unsent.size());
            for (Map.Entry<String, byte[]> each : unsent.entrySet()) {
                out.writeUTF(each.getKey());
                out.writeShort(each.getValue().length);
                out.write(each.getValue());
            }
            unsent.clear();
            line.send(message.toByteArray());
            if (!ahead) {
                hear();
            }
            ahead = false;
        } catch (IOException failed) {
            throw failed(failed);
        }
    }

    /** A value of the other side, if that side has come to its next fence already. Does not wait for it. */
    public synchronized Optional<byte[]> early(String key) {
        try {
            if (!ahead && line.hasMessage()) {
                hear();
                ahead = true;
            }
        } catch (IOException failed) {
            throw failed(failed);
        }
        return Optional.ofNullable(others.get(key)).map(byte[]::clone);
    }

    private void hear() throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(line.receive()));
        for (int left = in.readInt(); left > 0; left--) {
            String key = in.readUTF();
            byte[] value = new byte[Short.toUnsignedInt(in.readShort())];
            in.readFully(value);
            others.put(key, value);
        }
    }

    private CommunicationException failed(IOException failed) {
        return new CommunicationException("the two sides of " + job + " do not meet: " + failed.getMessage(), failed);
    }

    /** Links speak of ranks. Says the same of the two processes, with the name that people know the other one by. */
    String inWords(String reason) {
        return reason.replace("rank " + (1 - rank), nameOfOther == null ? "the other process" : nameOfOther)
                .replace("rank " + rank, "this process")
                .replace("this rank", "this process");
    }

    @Override
    public byte[] get(int of, String key) {
        byte[] value = (of == rank ? own : others).get(key);
        if (value == null) {
            throw new CommunicationException("rank " + of + " of " + job + " has published no value of key " + key);
        }
        return value.clone();
    }

    @Override
    public Optional<Entrance> entrance() {
        return Optional.ofNullable(entrance);
    }

    /** A link that gives up gives up this connection, not the process. */
    @Override
    public void abort(int status, String reason) {
        line.close();
    }

    @Override
    public void close() {
        line.close();
    }
}
