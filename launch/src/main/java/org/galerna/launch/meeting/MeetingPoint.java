package org.galerna.launch.meeting;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.galerna.launch.council.Place;
import org.galerna.launch.meeting.Notice.Kind;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a job meet, in that of rank 0: each calls, says what it publishes and that it waits, and is told what the
 * others have published when all wait. A thread for each serves it alone, so one that does not listen holds up nobody.
 */
final class MeetingPoint {
    private static final int SECRET_BYTES = 32;
    private static final int MOST_STRANGERS = 64;
    private static final long LONGEST_WORD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int size;
    private final Threads threads;
    private final ServerSocket listener;
    private final byte[] secret = SystemRandom.bytes(SECRET_BYTES);
    private final Semaphore strangers = new Semaphore(MOST_STRANGERS);

    // guarded by this
    private final Map<Integer, MeetingLine> lines = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private final Set<Integer> waiting = new HashSet<>();
    private List<Notice> coming = new ArrayList<>(); // published for the next fence
    private List<Notice> told = List.of(); // at the last one
    private int fences;
    private int telling; // ranks that have not been told all yet
    private @Nullable String broken;

    /** Starts threads that are none of the program's. */
    @FunctionalInterface
    public interface Threads {
        /** Starts one. */
        void start(String name, Runnable task);
    }

    private MeetingPoint(int size, Threads threads) throws IOException {
        this.size = size;
        this.threads = threads;
        this.listener = new ServerSocket();
        listener.bind(new InetSocketAddress(0), size);
    }

    /** Begins to listen. */
    static MeetingPoint open(int size, Threads threads) throws IOException {
        MeetingPoint point = new MeetingPoint(size, threads);
        threads.start("galerna-meeting", point::accept);
        return point;
    }

    Invitation invitation() {
        return new Invitation(Place.here(listener.getLocalPort()), secret);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                if (strangers.tryAcquire()) {
                    threads.start("galerna-member", () -> serve(socket));
                } else {
                    socket.close(); // it calls again
                }
            }
        } catch (IOException closed) {
            return; // by close
        }
    }

    private void serve(Socket socket) {
        MeetingLine line;
        try {
            line = MeetingLine.answer(socket, secret);
        } catch (IOException nobodyOfTheJob) {
            return;
        } finally {
            strangers.release();
        }
        try (line) {
            Notice first = line.hear();
            if (first.kind() == Kind.ABORT) {
                abort(first);
            } else if (enter(line)) {
                attend(line, first);
            }
        } catch (IOException gone) {
            // whatever it was, it is no member any more
        } finally {
            leave(line);
        }
    }

    private synchronized boolean enter(MeetingLine line) {
        return line.rank() >= 0
                && line.rank() < size
                && !ended.contains(line.rank())
                && lines.putIfAbsent(line.rank(), line) == null;
    }

    private synchronized void leave(MeetingLine line) {
        if (lines.remove(line.rank(), line)) {
            ended.add(line.rank());
            if (!waiting.contains(line.rank())) {
                breakUp("rank " + line.rank() + " has ended");
            }
        }
    }

    /** What a rank says, until it ends. */
    private void attend(MeetingLine line, Notice first) throws IOException {
        List<Notice> published = new ArrayList<>();
        for (Notice notice = first; notice.kind() != Kind.BYE; notice = line.hear()) {
            switch (notice.kind()) {
                case VALUE -> published.add(new Notice(Kind.VALUE, line.rank(), 0, notice.text(), notice.bytes()));
                case FENCE -> {
                    String why = await(line.rank(), published);
                    published.clear();
                    tell(line, why);
                }
                default -> throw new IOException("a member says " + notice.kind());
            }
        }
    }

    private void tell(MeetingLine line, @Nullable String why) throws IOException {
        if (why != null) {
            line.say(Notice.of(Kind.BROKEN, line.rank(), 0, why));
            return;
        }
        try {
            List<Notice> all;
            synchronized (this) {
                all = told;
            }
            for (Notice value : all) {
                line.say(value);
            }
            line.say(Notice.of(Kind.FENCED, line.rank()));
        } finally {
            synchronized (this) {
                telling--;
                notifyAll();
            }
        }
    }

    /** Waits for all ranks; why that is in vain, or null. */
    private synchronized @Nullable String await(int rank, List<Notice> published) {
        int mine = fences;
        coming.addAll(published);
        waiting.add(rank);
        if (broken == null && !ended.isEmpty()) {
            breakUp("rank " + ended.iterator().next() + " has ended");
        }
        if (broken == null && waiting.size() == size) {
            fences++;
            told = coming;
            coming = new ArrayList<>();
            waiting.clear();
            telling = size;
            notifyAll();
        }
        awaitUntil(() -> fences != mine || broken != null);
        return fences == mine ? broken : null;
    }

    private synchronized void breakUp(String why) {
        if (broken == null) {
            broken = why;
            notifyAll();
        }
    }

    private synchronized void awaitUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException program) {
                // a program may interrupt all threads that it finds
                Thread.onSpinWait();
            }
        }
    }

    private void abort(Notice abort) {
        List<MeetingLine> all;
        synchronized (this) {
            all = List.copyOf(lines.values());
        }
        for (MeetingLine each : all) {
            try {
                each.sayBriefly(abort, LONGEST_WORD_NANOS);
            } catch (IOException gone) {
                // then it need not be told
            } catch (InterruptedException program) {
                // the next one is told all the same
            }
        }
    }

    /** Waits until all have been told what was published at the last fence, and ends. */
    void close() throws IOException {
        awaitUntil(() -> telling == 0);
        listener.close();
    }
}
