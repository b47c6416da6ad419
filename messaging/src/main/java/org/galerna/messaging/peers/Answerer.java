package org.galerna.messaging.peers;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.CommunicationException;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.connection.ConnectionContext;
import org.galerna.messaging.handshake.Acceptor;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.handshake.Directory;
import org.galerna.messaging.handshake.Greeting;
import org.galerna.messaging.handshake.PendingStreams;
import org.galerna.messaging.handshake.SecureCall;
import org.galerna.messaging.handshake.Verdict;
import org.galerna.messaging.support.TimeLimit;

/** Answers the calls of other nodes, each on the thread of its {@link Acceptor.Visitor}. */
final class Answerer implements Acceptor.Host {
    /** How long an answer may take. */
    static final long ANSWER_NANOS = 10_000_000_000L;

    /** Decides who is to have a connection. Called by many threads. */
    interface Admission {
        /**
         * The verdict on a caller that has proved the key.
         *
         * @param answers set if there is to be a connection: then nobody calls that node until {@link #answered}
         */
        Verdict admit(Greeting greeting, AtomicBoolean answers);

        /** The answer to a node is over, whether there is a connection now or not. */
        void answered(int node);
    }

    private final NodeConfig config;
    private final ClusterKeys keys;
    private final long incarnation;
    private final Directory directory;
    private final PendingStreams streams;
    private final ConnectionContext context;
    private final Obstacles obstacles;
    private final Admission admission;
    private final Caller.Meeting meeting;

    /**
     * It answers nobody yet.
     *
     * @param incarnation of this node
     * @param streams of links, which come by the same door
     */
    Answerer(
            NodeConfig config,
            ClusterKeys keys,
            long incarnation,
            Directory directory,
            PendingStreams streams,
            ConnectionContext context,
            Obstacles obstacles,
            Admission admission,
            Caller.Meeting meeting) {
        this.config = config;
        this.keys = keys;
        this.incarnation = incarnation;
        this.directory = directory;
        this.streams = streams;
        this.context = context;
        this.obstacles = obstacles;
        this.admission = admission;
        this.meeting = meeting;
    }

    @Override
    public boolean answer(Acceptor.Visitor visitor) throws IOException {
        long deadline = System.nanoTime() + ANSWER_NANOS;
        SecureCall.Heard heard = SecureCall.hear(visitor.channel().socket(), deadline);
        visitor.heard();
        Greeting greeting = heard.greeting();
        if (greeting.purpose() == Greeting.Purpose.STREAM) {
            if (visitor.proved()) { // or will not by its token, which is looked up at once
                streams.admit(heard, visitor.channel());
                return true;
            }
            return false;
        }
        AtomicBoolean answers = new AtomicBoolean();
        try {
            SecureCall.Answered answered = heard.answer(
                    keys.current().getFirst(),
                    incarnation,
                    caller -> visitor.proved() ? admission.admit(caller, answers) : Verdict.LATER);
            if (answers.get()) {
                meet(answered.call(), greeting.from());
            } else if (answered.verdict() == Verdict.ACCEPTED) {
                directory.exchange(answered.call());
            }
        } catch (SecureCall.VerdictLostException gone) {
            return false;
        } catch (SecureCall.UnprovedException stranger) {
            context.events().refused(stranger.caller(), String.valueOf(stranger.getMessage()));
            throw stranger;
        } finally {
            if (answers.get()) {
                admission.answered(greeting.from());
            }
        }
        return false;
    }

    private void meet(SecureCall call, int node) {
        try {
            // the caller waits as long as it does for connections, and has proved that it may keep this node busy
            call.extend(TimeLimit.nanos(config.connectTimeout()));
            meeting.meet(call, node);
        } catch (CommunicationException failed) {
            obstacles.failed(node, failed);
        }
    }
}
