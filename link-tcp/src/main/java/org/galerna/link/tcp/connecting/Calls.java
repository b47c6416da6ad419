package org.galerna.link.tcp.connecting;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.galerna.link.tcp.handshake.Hello;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a rank. A few for connections are made at once; the others wait for their turn, and their time begins with it. So
 * ranks that all begin to talk do not keep each other from answering, and a peer whose call comes in need not be called.
 * Whatever is slow to answer gives its turn away after a while. The manager's thread's.
 */
final class Calls {
    /** Calls for connections that are made at once. */
    private static final int MOST_AT_ONCE = 4;

    /** So long a call that is not answered keeps its turn. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int rank;
    private final Set<Call> all = new LinkedHashSet<>();
    private final Map<Integer, Call> connecting = new HashMap<>(); // by peer
    private final Deque<Call> queue = new ArrayDeque<>();
    private final Deque<Call> queueOfLower =
            new ArrayDeque<>(); // to ranks whose own calls are preferred to this rank's
    private int turns;

    /** None yet. */
    Calls(int rank) {
        this.rank = rank;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<Call> all() {
        return List.copyOf(all);
    }

    /** The call for a connection to a peer. */
    @Nullable
    Call connecting(int peer) {
        return connecting.get(peer);
    }

    /** The calls for connections. */
    List<Call> connecting() {
        return List.copyOf(connecting.values());
    }

    boolean isRousing(int peer) {
        return all.stream().anyMatch(call -> call.purpose == Hello.ROUSE && call.peer == peer);
    }

    void add(Call call) {
        all.add(call);
        if (call.purpose == Hello.CONNECT) {
            connecting.put(call.peer, call);
        }
    }

    void remove(Call call) {
        endTurn(call);
        all.remove(call);
        connecting.remove(call.peer, call);
    }

    // ---- turns

    /** Whether a call may be made now; otherwise it waits for its turn. */
    boolean takeTurn(Call call, long now) {
        if (turns >= MOST_AT_ONCE) {
            call.isQueued = true;
            (call.peer < rank ? queueOfLower : queue).add(call);
            return false;
        }
        beginTurn(call, now);
        return true;
    }

    private void beginTurn(Call call, long now) {
        turns++;
        call.turnEnds = now + TURN_NANOS;
        call.hasTurn = true;
    }

    /** Others may be made instead. */
    void endTurn(Call call) {
        if (call.hasTurn) {
            call.hasTurn = false;
            turns--;
        }
    }

    /** Ends the turns of those that are not answered. */
    void expire(long now) {
        for (Call call : all) {
            if (call.hasTurn && now - call.turnEnds >= 0) {
                endTurn(call);
            }
        }
    }

    /** The next one whose turn it is; null if there is none. */
    @Nullable
    Call next(long now) {
        while (turns < MOST_AT_ONCE) {
            Call call = queue.isEmpty() ? queueOfLower.poll() : queue.poll();
            if (call == null) {
                return null;
            }
            call.isQueued = false;
            if (all.contains(call)) {
                beginTurn(call, now);
                return call;
            }
        }
        return null;
    }
}
