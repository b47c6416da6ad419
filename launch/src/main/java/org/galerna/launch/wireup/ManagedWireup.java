package org.galerna.launch.wireup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/**
 * The wire-up of a process that a job manager has started.
 *
 * <p>Managers keep values that are written once, some of them short ones. So all that a rank has published since the last
 * fence goes out with the next one, as one record in as many parts as it needs, under a key with the number of the fence;
 * an empty record, too, since asking for what is not there blocks with one manager and fails with the next. A record says
 * at which fence the rank had something to publish before, which is where {@code get} looks next.
 */
final class ManagedWireup implements Wireup {
    private static final int LARGEST_RECORD = 1 << 24;

    private final JobManager manager;
    private final String job;
    private final ProcessLife life;

    /** Held during every conversation with the manager, {@link #abort} aside. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, byte[]> own = new HashMap<>();
    private final Map<String, byte[]> pending = new HashMap<>();
    private final Map<RecordName, PublishedValues> known = new HashMap<>();
    private int fences;
    private int lastPublished;
    private boolean closed;

    /** Why the manager can be asked nothing any more, because a thread waits for an answer that never comes; or null. */
    private @Nullable String broken;

    private ManagedWireup(JobManager manager) {
        this.manager = manager;
        this.job = manager.job().replaceAll("[^A-Za-z0-9._-]", "_");
        this.life = new ProcessLife(this);
        manager.onAbort(life::endsWith);
    }

    /** Joins the job of a manager. */
    @FunctionalInterface
    interface Joining {
        JobManager join() throws IOException;
    }

    /**
     * A wire-up through the manager that is joined; from now on the life of this process is that of a rank.
     *
     * @param starter what has started this process, for messages
     * @throws CommunicationException if it cannot be reached
     */
    static Wireup through(String starter, Joining joining) {
        String why;
        Throwable cause;
        try {
            ManagedWireup wireup = new ManagedWireup(joining.join());
            wireup.life.begin();
            return wireup;
        } catch (IOException unreachable) {
            why = unreachable.getMessage();
            cause = unreachable;
        } catch (ExceptionInInitializerError failed) {
            if (!(failed.getCause() instanceof IllegalCallerException denied)) {
                throw failed;
            }
            why = "native access is needed for that: start Java with --enable-native-access=ALL-UNNAMED";
            cause = denied;
        }
        throw new CommunicationException(starter + " has started this process, but cannot be reached: " + why, cause);
    }

    private record RecordName(int rank, int fence) {
        String part(int number) {
            return "galerna." + rank + "." + fence + "." + number;
        }
    }

    @Override
    public String job() {
        return job;
    }

    @Override
    public int rank() {
        return manager.rank();
    }

    @Override
    public int size() {
        return manager.size();
    }

    @Override
    public void put(String key, byte[] value) {
        if (value.length > MAXIMUM_VALUE) {
            throw new IllegalArgumentException("value of key " + key + " has " + value.length + " bytes, at most "
                    + MAXIMUM_VALUE + " are carried");
        }
        lock.lock();
        try {
            own.put(key, value.clone());
            pending.put(key, value.clone());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void fence() {
        lock.lock();
        try {
            requireOpen();
            int number = fences + 1;
            publish(new RecordName(rank(), number), new PublishedValues(lastPublished, Map.copyOf(pending)));
            if (number == 1) {
                manager.fence();
            } else {
                fenceAgain();
            }
            fences = number;
            if (!pending.isEmpty()) {
                lastPublished = number;
                pending.clear();
            }
        } catch (IOException lost) {
            throw new CommunicationException(
                    "rank " + rank() + " waits for all ranks to arrive, but one has ended, or the job manager has ("
                            + manager.protocol() + ": " + lost.getMessage() + ")",
                    lost);
        } finally {
            lock.unlock();
        }
    }

    private void fenceAgain() throws IOException {
        Map<Integer, byte[]> places = new HashMap<>();
        for (int rank = 0; rank < size(); rank++) {
            byte[] place = rank == rank() ? null : find(rank, ManagedWatch.PLACE);
            if (place != null) {
                places.put(rank, place);
            }
        }
        RepeatedFence fence = new RepeatedFence(manager, places);
        OptionalInt ended = fence.await();
        if (ended.isPresent()) {
            String reason = "rank " + ended.getAsInt() + " has ended";
            if (fence.isUnderWay()) {
                broken = reason;
            }
            throw new CommunicationException("rank " + rank() + " waits for all ranks to arrive, but " + reason);
        }
    }

    private void publish(RecordName name, PublishedValues values) throws IOException {
        byte[] record = values.encode();
        ByteBuffer left = ByteBuffer.allocate(Integer.BYTES + record.length)
                .putInt(record.length)
                .put(record)
                .flip();
        for (int part = 0; left.hasRemaining(); part++) {
            byte[] bytes = new byte[Math.min(left.remaining(), manager.longestValue())];
            left.get(bytes);
            manager.put(name.part(part), bytes);
        }
    }

    @Override
    public byte[] get(int rank, String key) {
        if (rank < 0 || rank >= size()) {
            throw new IllegalArgumentException("there is no rank " + rank + " in a job of " + size());
        }
        lock.lock();
        try {
            byte[] value = rank == rank() ? own.get(key) : find(rank, key);
            if (value == null) {
                throw new CommunicationException(
                        "rank " + rank + " of " + job + " has published no value of key " + key);
            }
            return value.clone();
        } catch (IOException lost) {
            throw failed("asks for the value of key " + key + " of rank " + rank, lost);
        } finally {
            lock.unlock();
        }
    }

    private byte @Nullable [] find(int rank, String key) throws IOException {
        for (int fence = fences; fence > 0; ) {
            PublishedValues values = fetch(new RecordName(rank, fence));
            byte[] value = values.value(key);
            if (value != null) {
                return value;
            }
            if (values.previous() >= fence) {
                throw new IOException("the values of rank " + rank + " refer to themselves");
            }
            fence = values.previous();
        }
        return null;
    }

    private PublishedValues fetch(RecordName name) throws IOException {
        PublishedValues values = known.get(name);
        if (values == null) {
            requireOpen();
            byte[] part = manager.get(name.rank, name.part(0));
            int length =
                    part.length < Integer.BYTES ? -1 : ByteBuffer.wrap(part).getInt();
            if (length < 0 || length > LARGEST_RECORD) {
                throw new IOException("the record " + name.part(0) + " is damaged");
            }
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            record.write(part, Integer.BYTES, part.length - Integer.BYTES);
            for (int number = 1; record.size() < length; number++) {
                record.writeBytes(manager.get(name.rank, name.part(number)));
            }
            values = PublishedValues.decode(record.toByteArray());
            known.put(name, values);
        }
        return values;
    }

    @Override
    public void abort(int status, String reason) {
        life.abort(status, reason);
    }

    @Override
    public void observe(RankMonitor monitor) {
        life.observe(monitor);
    }

    /** Tells the manager that the job has to end. */
    void abortJob(int status, String reason) throws IOException {
        manager.abort(status, reason);
    }

    /** The process is about to end, so there is nothing left for the program to ask. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed && broken == null) {
                closed = true;
                manager.finish();
            }
        } catch (IOException lost) {
            throw failed("says goodbye", lost);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("this rank has left the job");
        }
        if (broken != null) {
            throw new IOException(broken);
        }
    }

    private CommunicationException failed(String what, IOException cause) {
        return new CommunicationException(
                "rank " + rank() + " " + what + ", but the job manager (" + manager.protocol() + ") has a problem: "
                        + cause.getMessage(),
                cause);
    }
}
