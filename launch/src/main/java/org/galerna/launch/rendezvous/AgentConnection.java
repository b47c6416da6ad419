package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankKey;
import org.galerna.link.RankMonitor;
import org.galerna.nativeaccess.process.ProcessSignals;
import org.jspecify.annotations.Nullable;

/**
 * The end of a rank's process of its conversation with the agent of its host; one for all ranks of the process. A thread
 * of its own reads what the agent says, so that the loss of the agent, which ends the process, is noticed at once.
 */
public final class AgentConnection {
    private static final long LONGEST_GOODBYE_MILLIS = 200;

    private final AgentInput input;
    private final MessageStream stream;
    private final Events events;
    private final Map<Integer, RendezvousWireup> wireups = new ConcurrentHashMap<>();
    private final Map<Integer, String> ends = new ConcurrentHashMap<>();
    private final Map<RankKey, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, Reading> readings = new ConcurrentHashMap<>(); // by key
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch goodbye = new CountDownLatch(1);
    private int goodbyes; // of the reading thread
    private final Welcome welcome;

    /** What happens to the process. Called by the reading thread. */
    public interface Events {
        /** The launcher wants to know where the ranks are. */
        void asked();

        /** The launcher wants to know whether the ranks stand still, since now if {@code afresh}. */
        void askedToLook(long round, boolean afresh);

        /** The job is over, the process is about to be ended. */
        void jobIsOver();

        /** The agent is gone, and the job with it. */
        void agentLost();
    }

    /** What the agent has said after so many fences. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(long fences, byte[] value) {}

    /** How far the ranks of this process have read the values of a key; guarded by itself. */
    private static final class Reading {
        private static final int MOST_AHEAD = 128;

        private int next;
        private int ahead = 1;

        /** The ranks to ask of when one is asked for: more and more at once where they are asked for one after the other. */
        Values from(int rank, String key, int size) {
            boolean follows = rank == next || rank == next + 1; // a rank does not ask for its own
            ahead = follows ? Math.min(2 * ahead, MOST_AHEAD) : 1;
            next = Math.min(size, rank + ahead);
            return new Values(rank, next - rank, key);
        }
    }

    private AgentConnection(AgentInput input, MessageStream stream, Welcome welcome, Events events) {
        this.input = input;
        this.stream = stream;
        this.welcome = welcome;
        this.events = events;
    }

    /**
     * A value of another rank that a rank of this process has asked for already. It is as new as the agent's answer to a rank
     * that has passed no more fences, because values become visible at fences.
     *
     * <p>One rank asks at a time, of several others at once; those that come meanwhile find the answers.
     *
     * @param ask asks the agent for the values of these ranks
     */
    byte @Nullable [] value(int rank, String key, long fences, Function<Values, List<byte @Nullable []>> ask) {
        RankKey asked = new RankKey(rank, key);
        Answer known = answers.get(asked);
        if (known != null && known.fences >= fences) {
            return known.value;
        }
        Reading reading = readings.computeIfAbsent(key, _ -> new Reading());
        synchronized (reading) {
            known = answers.get(asked);
            if (known != null && known.fences >= fences) {
                return known.value;
            }
            List<byte @Nullable []> values = ask.apply(reading.from(rank, key, welcome.size()));
            for (int each = 0; each < values.size(); each++) {
                byte[] value = values.get(each);
                if (value != null) {
                    answers.merge(
                            new RankKey(rank + each, key),
                            new Answer(fences, value),
                            (one, other) -> one.fences > other.fences ? one : other);
                }
            }
            return values.getFirst();
        }
    }

    /**
     * Finds the agent.
     *
     * @param socket where it listens
     * @param rank the first rank of this process
     * @throws JobEndedException if the job is ending already, of which its launcher tells the reason
     * @throws IOException if there is no such agent, or if it does not want this process
     */
    public static AgentConnection open(Path socket, int rank, Events events) throws IOException {
        boolean ignored =
                ProcessSignals.resumeAtEndOfParent(); // the agent stops processes for a moment before it ends them
        return open(AgentSocket.to(socket), socket, rank, events);
    }

    /** As {@link #open(Path, int, Events)}, over a connection that is there. */
    static AgentConnection open(AgentSocket connected, Path socket, int rank, Events events) throws IOException {
        AgentInput input = new AgentInput(connected);
        MessageStream stream =
                new MessageStream(input, new AgentOutput(connected), () -> {}); // closed by the end of the process
        stream.write(Message.of(Kind.HELLO, rank, ProcessHandle.current().pid(), MessageStream.VERSION));
        Message answer = stream.read();
        if (answer != null && answer.kind() == Kind.END) {
            throw new JobEndedException(rank);
        }
        if (answer == null || answer.kind() != Kind.WELCOME) {
            throw new IOException("the agent at " + socket + " does not know rank " + rank);
        }
        return new AgentConnection(input, stream, Welcome.read(answer.fields()), events);
    }

    /** What the agent has told about the job. */
    public Welcome welcome() {
        return welcome;
    }

    /** Begins to listen to the agent. */
    public void start(ThreadGroup group) {
        Thread reader = new Thread(group, this::listen, "galerna-agent", 0, false);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * The wire-up of a rank of this process, to be made once, before {@link #start}.
     *
     * @param abort what a rank does to end the job, e.g. {@link #abort}
     */
    public RendezvousWireup wireup(int rank, RendezvousWireup.Abort abort) {
        RendezvousWireup wireup = new RendezvousWireup(this, rank, abort);
        wireups.put(rank, wireup);
        return wireup;
    }

    /** The wire-up that has been made for a rank of this process. */
    public RendezvousWireup wireup(int rank) {
        return Objects.requireNonNull(wireups.get(rank));
    }

    /** Whether this process has one rank. */
    boolean isOfOneRank() {
        return wireups.size() == 1;
    }

    /** Ends the job, and with it the calling thread. */
    public void abort(int rank, int status, String reason) {
        send(Message.of(Kind.ABORT, rank, status, reason));
        awaitEnd();
    }

    /** What the ranks of this process tell about themselves; none of those that have not joined the others yet. */
    public Optional<RankMonitor> monitor(int rank) {
        RendezvousWireup wireup = wireups.get(rank);
        return wireup == null ? Optional.empty() : wireup.monitor();
    }

    /**
     * Says something to the agent.
     *
     * @throws CommunicationException if it is gone
     */
    public void send(Message message) {
        try {
            stream.write(message);
        } catch (IOException gone) {
            throw new CommunicationException("rank " + message.rank() + " has lost the agent of its host, and with it"
                    + " the launcher of the job: " + gone.getMessage());
        }
    }

    /** Says something that does not matter any more if the agent is gone. */
    public void tell(Message message) {
        try {
            stream.write(message);
        } catch (IOException gone) {
            // the reading thread notices, and ends the process
            return;
        }
    }

    /**
     * Says that the only rank of this process ends by itself, and waits a moment for the answer: from then on the reading
     * thread does not stay in calls of the system, for which the virtual machine waits 300 ms when it ends.
     *
     * @param unfinished whether the rank has joined the others and has not finished
     */
    public void leave(int rank, boolean unfinished) {
        tell(Message.of(Kind.BYE, rank, unfinished ? 1 : 0));
        try {
            boolean ignored = goodbye.await(LONGEST_GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps the calling thread until the process ends. */
    public void awaitEnd() {
        while (true) {
            try {
                over.await();
            } catch (InterruptedException notNow) {
                // the end of the job comes from outside, nothing else ends this wait
                Thread.onSpinWait();
            }
        }
    }

    @Nullable
    String endOf(int rank) {
        return ends.get(rank);
    }

    private void listen() {
        try {
            for (Message message = stream.read(); message != null; message = stream.read()) {
                handle(message);
            }
        } catch (IOException | IllegalArgumentException broken) {
            // whatever it was: there is no agent any more that can be understood
        }
        events.agentLost();
    }

    private void handle(Message message) {
        switch (message.kind()) {
            case WHERE -> events.asked();
            case STANDING ->
                events.askedToLook(message.number(), message.fields().flag());
            case END -> events.jobIsOver();
            case GOODBYE -> {
                if (++goodbyes == wireups.size()) {
                    input.stayOutOfTheSystem();
                    goodbye.countDown();
                }
            }
            case GONE -> {
                ends.put(message.rank(), message.text());
                wireups.values().forEach(wireup -> wireup.missOther(message.rank()));
            }
            case LEFT -> {
                if (message.number() == 0) {
                    wireups.values().forEach(wireup -> wireup.answered(message));
                } else {
                    answer(message);
                }
            }
            case FENCED, FENCE_BROKEN, VALUES -> answer(message);
            default -> throw new IllegalArgumentException("the agent says " + message);
        }
    }

    private void answer(Message message) {
        RendezvousWireup wireup = wireups.get(message.rank());
        if (wireup != null) {
            wireup.answered(message);
        }
    }
}
