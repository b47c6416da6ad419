package org.galerna.link.wireup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankKey;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.memory.SystemRandom;

/** The wire-up of ranks that are threads of one JVM: a shared map and a counting fence. */
public final class InProcessWireup implements Wireup {
    private final Job job;
    private final int rank;

    private InProcessWireup(Job job, int rank) {
        this.job = job;
        this.rank = rank;
    }

    /**
     * Wire-ups for a new job of {@code size} ranks, one each, in the order of the ranks.
     *
     * @param abort what ends the job when a rank asks for it
     */
    public static List<InProcessWireup> create(int size, AbortHandler abort) {
        return create(size, Optional.empty(), abort);
    }

    /**
     * As {@link #create(int, AbortHandler)}, with the name of a device for all ranks.
     *
     * @param device see {@link Wireup#device}
     */
    public static List<InProcessWireup> create(int size, Optional<String> device, AbortHandler abort) {
        if (size < 1) {
            throw new IllegalArgumentException("a job needs at least one rank, not " + size);
        }
        Job job = new Job("job-" + SystemRandom.uuid(), size, device, abort);
        List<InProcessWireup> wireups = new ArrayList<>(size);
        for (int rank = 0; rank < size; rank++) {
            wireups.add(new InProcessWireup(job, rank));
        }
        return List.copyOf(wireups);
    }

    /** Ends the job on behalf of a rank. */
    @FunctionalInterface
    public interface AbortHandler {
        /** Called on the thread that aborts; see {@link Wireup#abort}. */
        void abort(int rank, int status, String reason);
    }

    /** What the ranks of this job have told about themselves, in no particular order. */
    public List<RankMonitor> monitors() {
        return List.copyOf(job.monitors.values());
    }

    @Override
    public String job() {
        return job.name;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return job.size;
    }

    @Override
    public boolean isOneProcess() {
        return true;
    }

    @Override
    public void put(String key, byte[] value) {
        if (value.length > MAXIMUM_VALUE) {
            throw new IllegalArgumentException("value of key " + key + " has " + value.length + " bytes, at most "
                    + MAXIMUM_VALUE + " are carried");
        }
        job.values.put(new RankKey(rank, key), value.clone());
    }

    @Override
    public void fence() {
        job.fence(rank);
    }

    @Override
    public byte[] get(int rank, String key) {
        byte[] value = job.values.get(new RankKey(rank, key));
        if (value == null) {
            throw new CommunicationException(
                    "rank " + rank + " of " + job.name + " has published no value of key " + key);
        }
        return value.clone();
    }

    @Override
    public void abort(int status, String reason) {
        job.abort.abort(rank, status, reason);
    }

    @Override
    public Optional<String> device() {
        return job.device;
    }

    @Override
    public void observe(RankMonitor monitor) {
        job.monitors.put(rank, monitor);
    }

    @Override
    public Optional<String> endOf(int rank) {
        return Optional.ofNullable(job.ends.get(rank));
    }

    /** Says how this rank has ended, for {@link #endOf}; to be called before the others can notice. */
    public void explainEnd(String how) {
        job.ends.put(rank, how);
    }

    @Override
    public void close() {
        job.leave(rank);
    }

    /** What the ranks share. */
    private static final class Job {
        private final String name;
        private final int size;
        private final Optional<String> device;
        private final AbortHandler abort;
        private final Map<RankKey, byte[]> values = new ConcurrentHashMap<>();
        private final Map<Integer, RankMonitor> monitors = new ConcurrentHashMap<>();
        private final Map<Integer, String> ends = new ConcurrentHashMap<>();
        // guarded by this
        private int arrived;
        private long generation;
        private final boolean[] left;

        Job(String name, int size, Optional<String> device, AbortHandler abort) {
            this.name = name;
            this.size = size;
            this.device = device;
            this.abort = abort;
            this.left = new boolean[size];
        }

        synchronized void fence(int rank) {
            long mine = generation;
            if (++arrived == size) {
                arrived = 0;
                generation++;
                notifyAll();
                return;
            }
            try {
                while (generation == mine) {
                    failIfIncomplete(rank);
                    wait();
                }
            } catch (InterruptedException interrupted) {
                if (generation == mine) {
                    arrived--;
                }
                Thread.currentThread().interrupt();
                throw new CommunicationException("rank " + rank + " was interrupted while it waited for the others");
            }
        }

        private void failIfIncomplete(int rank) {
            for (int other = 0; other < size; other++) {
                if (left[other]) {
                    arrived--;
                    throw new CommunicationException(
                            "rank " + rank + " waits for all ranks to arrive, but rank " + other + " has ended");
                }
            }
        }

        synchronized void leave(int rank) {
            left[rank] = true;
            notifyAll();
        }
    }
}
