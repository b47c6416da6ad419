package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/**
 * The end of a rank's process of its conversation with the agent of its host; one for all ranks of the process. A thread
 * of its own reads what the agent says, so that the loss of the agent, which ends the process, is noticed at once.
 */
public final class AgentConnection {
    private final MessageStream stream;
    private final Events events;
    private final Map<Integer, RendezvousWireup> wireups = new ConcurrentHashMap<>();
    private final Map<Integer, String> ends = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Welcome welcome;

    /** What happens to the process. Called by the reading thread. */
    public interface Events {
        /** The launcher wants to know where the ranks are. */
        void asked();

        /** The job is over, the process is about to be ended. */
        void jobIsOver();

        /** The agent is gone, and the job with it. */
        void agentLost();
    }

    private AgentConnection(MessageStream stream, Welcome welcome, Events events) {
        this.stream = stream;
        this.welcome = welcome;
        this.events = events;
    }

    /**
     * Finds the agent.
     *
     * @param socket where it listens
     * @param rank the first rank of this process
     * @throws IOException if there is no such agent, or if it does not want this process
     */
    public static AgentConnection open(Path socket, int rank, Events events) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        MessageStream stream =
                new MessageStream(Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
        stream.write(Message.of(Kind.HELLO, rank, ProcessHandle.current().pid(), MessageStream.VERSION));
        Message answer = stream.read();
        if (answer == null || answer.kind() != Kind.WELCOME) {
            throw new IOException("the agent at " + socket + " does not know rank " + rank);
        }
        return new AgentConnection(stream, Welcome.read(answer.fields()), events);
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
            case END -> events.jobIsOver();
            case GONE -> ends.put(message.rank(), message.text());
            case FENCED, FENCE_BROKEN, VALUE -> {
                RendezvousWireup wireup = wireups.get(message.rank());
                if (wireup != null) {
                    wireup.answered(message);
                }
            }
            default -> throw new IllegalArgumentException("the agent says " + message);
        }
    }
}
