package org.galerna.launch.council;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.DeadlockDecision;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.DeadlockWatch;
import org.galerna.launch.watch.OwnProcess;
import org.galerna.launch.watch.Question;
import org.galerna.launch.watch.Reports;
import org.galerna.launch.watch.Standstill;
import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a job is deadlocked that no launcher of Galerna has started. Each process listens; nothing else happens
 * before one stands still. That one calls the process of the lowest rank that has not ended, which decides as a launcher
 * would ({@link DeadlockDecision}), and knows of each other process that it stands still, or has ended: because the
 * connection to it has ended, or because nothing listens any more where it did, as one of the same host has told. As long as
 * it knows neither of a process, nothing is concluded. So a network that lets nobody through costs the report and nothing else.
 *
 * <p>Two processes that decide do no harm: each concludes something only if all that have not ended have told it that they
 * stand still, and a process tells one.
 */
public final class Council {
    private static final int VISIT_MILLIS = 500;
    /** How long a failure waits for those of other ranks. */
    private static final long GRACE_NANOS = Duration.ofMillis(600).toNanos();

    private static final long BETWEEN_VISITS_NANOS = Duration.ofSeconds(1).toNanos();

    private final OwnProcess itself;
    private final int ranks;
    private final DeadlockWatch watch;
    private final Outside outside;
    private final Acceptor door;
    private final DeadlockDecision decision;
    private final Map<Integer, Line> members = new TreeMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private final Map<Integer, Place> places = new HashMap<>();
    private Question question = Question.FIRST;
    private @Nullable Line leader;
    /** Those that this process does not use any more, and keeps open: their end would mean that of this process. */
    private final List<Line> abandoned = new ArrayList<>();
    /** What is to be told, and to which round it is an answer; null if there is nothing. */
    private @Nullable Standstill toTell;

    /** What has failed here as a consequence of the end of another rank; null once somebody reports it. */
    private volatile Outcome.@Nullable FailedElsewhere failure;

    /** What this process has to report of all such failures; null if there is none. */
    private Outcome.@Nullable FailedElsewhere toReport;

    private long toReportSince;
    private long roundToTell;
    private long lastCall;
    private long lastVisit;

    /** What the council needs from others. */
    public interface Outside {
        /** The job's key. */
        byte[] key();

        /** Where a rank's process listens, as its {@link #place} says. */
        byte[] placeOf(int rank);

        /** The job is deadlocked. Does not return. */
        void deadlocked(Deadlock deadlock);

        /** A rank has failed as a consequence of the end of another one, and others perhaps likewise. Does not return. */
        void failed(Outcome.FailedElsewhere failure);

        /** All stand still, and it cannot be known whether for good. */
        void doubtful(Duration lasting, List<String> doubts);

        /** Another process reports how the job has ended, which is about to follow. */
        void over();
    }

    /**
     * The council as one process sees it.
     *
     * @param itself the rank of this process
     * @param ranks of the job
     * @param patience how long nothing must have moved
     */
    public Council(OwnProcess itself, int ranks, Duration patience, Outside outside) throws IOException {
        this.itself = itself;
        this.ranks = ranks;
        this.watch = DeadlockWatch.ofBegunRanks(List.of(itself), patience);
        this.outside = outside;
        this.door = Acceptor.open(ranks);
        this.decision = new DeadlockDecision(IntStream.range(0, ranks).boxed().toList());
    }

    /** Where this process listens, for the others. */
    public byte[] place() throws IOException {
        return door.place().encode();
    }

    /**
     * Looks at the rank and at what other processes say; to be called a few times a second, by one thread.
     *
     * @param sinceLast the time since the last call
     */
    public void look(Duration sinceLast) {
        try {
            door.look(outside::key, this::welcome);
            hearMembers();
            hearLeader();
            watch.look(sinceLast, question).ifPresent(news -> {
                toTell = news;
                roundToTell = question.round();
                lastCall = 0;
            });
            if (watch.hasSaid()) {
                tell();
                visit();
            } else {
                toTell = null;
            }
            decision.conclude().ifPresent(this::conclude);
            tellFailure();
            reportFailures();
        } catch (CommunicationException | IllegalArgumentException managerGone) {
            // without the places of the others nothing can be found out
            toTell = null;
        }
    }

    // ---- being told

    private void welcome(int rank, Line line) {
        Line former = members.put(rank, line);
        if (former != null) {
            former.close();
        }
        if (decision.question().round() > 0) {
            ask(rank, line, decision.question().round(), true);
        }
    }

    private void hearMembers() {
        for (Map.Entry<Integer, Line> member : Map.copyOf(members).entrySet()) {
            int rank = member.getKey();
            try {
                for (Message message = member.getValue().receive();
                        message != null;
                        message = member.getValue().receive()) {
                    switch (message.kind()) {
                        case STANDSTILL ->
                            decision.says(rank, message.number(), Reports.readStandstill(message.fields()));
                        case FAILED -> collect(Reports.readFailure(rank, message.fields()));
                        case GONE -> end(message.rank());
                        default -> {}
                    }
                }
            } catch (EOFException itHasEnded) {
                lose(rank);
                if (!place(rank).isHere() || isRefused(place(rank))) {
                    end(rank);
                }
            } catch (IOException | IllegalArgumentException broken) {
                lose(rank);
            }
        }
    }

    private void lose(int rank) {
        Line line = members.remove(rank);
        if (line != null) {
            line.close();
        }
    }

    private void end(int rank) {
        if (ended.add(rank)) {
            decision.ends(rank);
            decision.gone(rank);
        }
    }

    private void conclude(Conclusion conclusion) {
        switch (conclusion) {
            case Conclusion.Ask next -> {
                question =
                        question.with(next.question().round(), next.question().isFresh());
                Map.copyOf(members)
                        .forEach((rank, line) -> ask(
                                rank,
                                line,
                                next.question().round(),
                                next.question().isFresh()));
            }
            case Conclusion.Proven proven -> {
                Map.copyOf(members).forEach((rank, line) -> send(rank, line, Message.of(Kind.END)));
                outside.deadlocked(proven.deadlock());
            }
            case Conclusion.Doubtful doubtful -> outside.doubtful(doubtful.lasting(), doubtful.doubts());
        }
    }

    private void ask(int rank, Line line, long round, boolean afresh) {
        send(rank, line, Message.of(Kind.STANDING, rank, round, new FieldWriter().flag(afresh)));
    }

    private void send(int rank, Line line, Message message) {
        try {
            line.send(message);
        } catch (IOException broken) {
            lose(rank);
        }
    }

    // ---- failures that follow from the end of a rank

    /** This rank has failed because another one has ended: one process reports it for all. Any thread may call. */
    public void hasFailed(Outcome.FailedElsewhere how) {
        failure = how;
    }

    private void tellFailure() {
        Outcome.FailedElsewhere own = failure;
        if (own == null || (leader == null && !findLeader())) {
            return;
        }
        Line line = leader;
        if (line == null) {
            collect(own);
        } else {
            try {
                line.send(Message.of(Kind.FAILED, itself.rank(), 0, Reports.writeFailure(own)));
            } catch (IOException lost) {
                leave(line);
                return;
            }
        }
        failure = null;
    }

    private void collect(Outcome.FailedElsewhere news) {
        Outcome.FailedElsewhere known = toReport;
        if (known == null) {
            toReport = news;
            toReportSince = System.nanoTime();
        } else if (known.isSame(news)) {
            toReport = known.with(news);
        }
    }

    private void reportFailures() {
        Outcome.FailedElsewhere known = toReport;
        if (known != null && System.nanoTime() - toReportSince >= GRACE_NANOS) {
            Map.copyOf(members).forEach((rank, line) -> send(rank, line, Message.of(Kind.END)));
            outside.failed(known);
        }
    }

    // ---- telling

    private void hearLeader() {
        Line line = leader;
        if (line == null) {
            return;
        }
        try {
            for (Message message = line.receive(); message != null; message = line.receive()) {
                switch (message.kind()) {
                    case STANDING ->
                        question =
                                question.with(message.number(), message.fields().flag());
                    case END -> outside.over();
                    default -> {}
                }
            }
        } catch (IOException | IllegalArgumentException lost) {
            leave(line);
        }
    }

    /** The next one to decide begins with its first round, which this process has not answered. */
    private void leave(Line line) {
        abandoned.add(line);
        leader = null;
        question = question.ofAnother();
    }

    private void tell() {
        Standstill standstill = toTell;
        long now = System.nanoTime();
        if (standstill == null || roundToTell != question.round() || now - lastCall < BETWEEN_VISITS_NANOS) {
            return;
        }
        lastCall = now;
        if (leader == null && !findLeader()) {
            return;
        }
        toTell = null;
        Line line = leader;
        if (line == null) {
            decision.says(itself.rank(), roundToTell, standstill);
            return;
        }
        try {
            line.send(Message.of(Kind.STANDSTILL, itself.rank(), roundToTell, Reports.writeStandstill(standstill)));
        } catch (IOException lost) {
            leave(line);
        }
    }

    /** Looks for the lowest rank that has not ended; false if it cannot be known which one that is. */
    private boolean findLeader() {
        for (int rank = 0; rank < itself.rank(); rank++) {
            if (ended.contains(rank)) {
                continue;
            }
            Line line = call(rank);
            if (line != null) {
                leader = line;
                ended.forEach(this::tellEnd);
                return leader != null;
            }
            if (!ended.contains(rank)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds out which processes of this host have ended that have not called: the lowest one that has not does so, and tells
     * the one that decides.
     */
    private void visit() {
        long now = System.nanoTime();
        if (toTell != null || now - lastVisit < BETWEEN_VISITS_NANOS) {
            return;
        }
        lastVisit = now;
        for (int rank = 0; rank < ranks; rank++) {
            if (rank == itself.rank()
                    || members.containsKey(rank)
                    || ended.contains(rank)
                    || !place(rank).isHere()) {
                continue;
            }
            if (isRefused(place(rank))) {
                end(rank);
                tellEnd(rank);
            } else if (rank < itself.rank()) {
                return;
            }
        }
    }

    private void tellEnd(int rank) {
        Line line = leader;
        if (line == null) {
            return;
        }
        try {
            line.send(Message.of(Kind.GONE, rank, 0));
        } catch (IOException lost) {
            leave(line);
        }
    }

    // ---- calling

    private Place place(int rank) {
        return places.computeIfAbsent(rank, unknown -> Place.decode(outside.placeOf(unknown)));
    }

    /**
     * Whether a process of this host has ended: nothing listens any more where it did. False of processes of other hosts.
     *
     * @param place what the process has published of {@link #place}
     * @throws IllegalArgumentException if it is something else
     */
    public static boolean hasEnded(byte[] place) {
        Place listened = Place.decode(place);
        return listened.isHere() && isRefused(listened);
    }

    /** Whether nothing listens any more where that process, on this host, has listened until its end. */
    private static boolean isRefused(Place place) {
        try (SocketChannel visit = SocketChannel.open()) {
            visit.socket().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), place.port()), VISIT_MILLIS);
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** A line to another process; null if there is none, and then it may have turned out that it has ended. */
    private @Nullable Line call(int rank) {
        Place place = place(rank);
        if (place.isHere() && isRefused(place)) {
            end(rank);
            return null;
        }
        for (InetSocketAddress address : place.sockets()) {
            try {
                return Line.call(address, outside.key(), itself.rank());
            } catch (IOException unreachable) {
                // perhaps by another address, or later
            }
        }
        return null;
    }
}
