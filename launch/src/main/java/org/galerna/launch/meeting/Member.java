package org.galerna.launch.meeting;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.galerna.launch.meeting.MeetingPoint.Threads;
import org.galerna.launch.meeting.Notice.Kind;
import org.jspecify.annotations.Nullable;

/** A rank at the meeting of its job. Any thread may call; one at a time but for {@link #abort}. */
public final class Member {
    private static final int CONNECT_MILLIS = 2_000;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int rank;
    private final Invitation invitation;
    private final MeetingLine line;
    private final MeetingFile file;
    private final @Nullable MeetingPoint point; // of rank 0

    // guarded by this
    private final Map<Name, byte[]> values = new HashMap<>();
    private int fences;
    private @Nullable String broken;
    private @Nullable IntConsumer onAbort;
    private @Nullable Integer aborted; // with this status

    private record Name(int rank, String key) {}

    private Member(int rank, Invitation invitation, MeetingLine line, MeetingFile file, @Nullable MeetingPoint point) {
        this.rank = rank;
        this.invitation = invitation;
        this.line = line;
        this.file = file;
        this.point = point;
    }

    /**
     * Joins the meeting; waits for rank 0 to open it.
     *
     * @param size number of ranks
     * @param threads starts threads that are none of the program's
     * @param patience is told in a sentence what is waited for, if that takes 10 s
     * @throws IOException if the file cannot be used
     */
    public static Member join(MeetingFile file, int rank, int size, Threads threads, Consumer<String> patience)
            throws IOException {
        MeetingPoint point = null;
        if (rank == 0) {
            point = MeetingPoint.open(size, threads);
            file.leave(point.invitation());
        }
        long start = System.nanoTime();
        boolean told = false;
        String missing = "";
        while (true) {
            Optional<Invitation> found = file.find();
            if (found.isPresent()) {
                Invitation invitation = found.get();
                try {
                    Member member = new Member(rank, invitation, call(invitation, rank), file, point);
                    threads.start("galerna-meeting", member::listen);
                    return member;
                } catch (IOException ofAnEarlierJobOrBusy) {
                    missing = "its address in " + file + " leads nowhere (" + ofAnEarlierJobOrBusy.getMessage() + ")";
                }
            } else {
                missing = "there is no " + file;
            }
            if (!told && System.nanoTime() - start >= SILENT_NANOS) {
                told = true;
                patience.accept("rank " + rank + " waits for rank 0: " + missing);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            boolean unused = Thread.interrupted();
        }
    }

    private static MeetingLine call(Invitation invitation, int rank) throws IOException {
        IOException failed = new IOException("it has no address");
        for (InetSocketAddress address : invitation.place().sockets()) {
            Socket socket = new Socket();
            try {
                socket.connect(address, CONNECT_MILLIS);
                return MeetingLine.call(socket, rank, invitation.secret());
            } catch (IOException unreachable) {
                socket.close();
                failed = new IOException(
                        address.getHostString() + ":" + address.getPort() + ": " + unreachable.getMessage(),
                        unreachable);
            }
        }
        throw failed;
    }

    private void listen() {
        String why = "the connection to rank 0 has ended";
        try {
            while (true) {
                hear(line.hear());
            }
        } catch (IOException gone) {
            synchronized (this) {
                broken = broken == null ? why : broken;
                notifyAll();
            }
        }
    }

    private void hear(Notice notice) throws IOException {
        IntConsumer ending = null;
        synchronized (this) {
            switch (notice.kind()) {
                case VALUE -> values.put(new Name(notice.rank(), notice.text()), notice.bytes());
                case FENCED -> fences++;
                case BROKEN -> broken = notice.text();
                case ABORT -> {
                    ending = onAbort;
                    aborted = notice.number();
                }
                default -> throw new IOException("rank 0 says " + notice.kind());
            }
            notifyAll();
        }
        if (ending != null) {
            ending.accept(notice.number());
        }
    }

    /** Publishes a value at the next fence; at most 32 KiB. */
    public void put(String key, byte[] value) throws IOException {
        line.say(new Notice(Kind.VALUE, rank, 0, key, value));
    }

    /**
     * Waits for all ranks.
     *
     * @throws IOException if one has ended; the message says which
     */
    public void fence() throws IOException {
        boolean interrupted = false;
        int mine;
        synchronized (this) {
            mine = fences;
        }
        line.say(Notice.of(Kind.FENCE, rank));
        synchronized (this) {
            while (fences == mine && broken == null) {
                try {
                    wait();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (fences == mine) {
                throw new IOException(broken);
            }
        }
        if (rank == 0 && mine == 0) {
            file.remove(); // all are here
        }
    }

    /**
     * A value that was published before the last fence.
     *
     * @throws IOException if there is none
     */
    public synchronized byte[] get(int ofRank, String key) throws IOException {
        byte[] value = values.get(new Name(ofRank, key));
        if (value == null) {
            throw new IOException("rank " + ofRank + " has published no " + key);
        }
        return value;
    }

    /** Tells all other ranks that the job has ended with a status, also while another thread waits. */
    public void abort(int status, String reason) throws IOException {
        try (MeetingLine another = call(invitation, rank)) {
            another.say(Notice.of(Kind.ABORT, rank, status, reason));
        }
    }

    /** What is to be done when another rank has ended the job, with its status; at once if it has. */
    public void onAbort(IntConsumer ending) {
        Integer status;
        synchronized (this) {
            onAbort = ending;
            status = aborted;
        }
        if (status != null) {
            ending.accept(status);
        }
    }

    /** Ends in good order. */
    public void finish() throws IOException {
        if (point != null) {
            file.remove();
            point.close();
        }
        line.say(Notice.of(Kind.BYE, rank));
    }
}
