package org.galerna.link.tcp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.tcp.connecting.ConnectionManager;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Directory;

/**
 * Tells ranks that there is no connection to that a rank leaves or is lost. One rank of each process is called, and tells the
 * others there; if it cannot be reached the next one is. Safe for use by many threads.
 */
final class Strangers {
    /** Those of the ranks of this process, by job and name. */
    private static final Map<String, Set<Strangers>> BESIDE = new ConcurrentHashMap<>();

    private final int rank;
    private final Directory directory;
    private final Membership membership;
    private final ConnectionManager manager;
    private final boolean apart;
    private final String key;
    private final Consumer<Hello> onNews;

    // guarded by this
    private final BitSet leaving = new BitSet(); // those that leave or have ended, too
    private final BitSet goodbyes = new BitSet();
    private final Map<Hello, Deque<Integer>> called = new HashMap<>();

    /**
     * Nobody is told yet.
     *
     * @param apart whether every rank is called, as if it had a process of its own
     * @param onNews told what another rank of this process has heard
     */
    Strangers(
            Wireup wireup,
            Directory directory,
            Membership membership,
            ConnectionManager manager,
            boolean apart,
            Consumer<Hello> onNews) {
        this.rank = wireup.rank();
        this.directory = directory;
        this.membership = membership;
        this.manager = manager;
        this.apart = apart;
        this.key = wireup.job() + "/" + directory.name();
        this.onNews = onNews;
    }

    /** Lets the other ranks of this process tell this one. */
    void begin() {
        BESIDE.computeIfAbsent(key, _ -> ConcurrentHashMap.newKeySet()).add(this);
    }

    void end() {
        BESIDE.computeIfPresent(key, (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
        });
    }

    /** Has all ranks told that another one is lost to which there is no connection. */
    void tellOfLoss(int lost) {
        tell(Hello.LOST, lost, membership.strangers());
    }

    /**
     * Has those told that this rank leaves that have not been yet.
     *
     * @param most how many may be told in all
     * @return whether all are told
     */
    boolean sayGoodbye(int most) {
        List<Integer> others = new ArrayList<>();
        boolean all = true;
        synchronized (this) {
            int said = goodbyes.cardinality();
            for (int peer : membership.strangers()) {
                if (leaving.get(peer)) {
                    membership.told(peer);
                } else if (!goodbyes.get(peer) && said < most) {
                    goodbyes.set(peer);
                    others.add(peer);
                    said++;
                } else if (!goodbyes.get(peer)) {
                    all = false;
                }
            }
        }
        tell(Hello.GOODBYE, 0, others);
        return all;
    }

    /** This rank leaves, as all do but these: the others need not be told. */
    void leaveWithAllBut(BitSet staying) {
        synchronized (this) {
            leaving.set(0, membership.size());
            leaving.andNot(staying);
        }
        for (int peer : membership.strangers()) {
            if (!staying.get(peer)) {
                membership.told(peer);
            }
        }
    }

    private void tell(int purpose, int subject, List<Integer> peers) {
        Map<String, Deque<Integer>> processes = new HashMap<>();
        for (int peer : peers) {
            try {
                String process = directory.address(peer).process();
                directory.proof();
                processes
                        .computeIfAbsent(apart ? process + peer : process, _ -> new ArrayDeque<>())
                        .add(peer);
            } catch (CommunicationException neverCame) {
                membership.told(peer);
            }
        }
        Deque<Integer> here = apart ? null : processes.remove(directory.own().process());
        if (here != null) {
            Hello news = new Hello(purpose, directory.round(), rank, rank, membership.size(), subject);
            tellBeside(news);
            know(purpose, here);
        }
        for (Deque<Integer> ranks : processes.values()) {
            call(purpose, subject, ranks);
        }
    }

    private void call(int purpose, int subject, Deque<Integer> ranks) {
        Integer first = ranks.peekFirst();
        if (first != null) {
            synchronized (this) {
                called.put(call(first, purpose, subject), ranks);
            }
            manager.call(first, purpose, subject);
        }
    }

    private Hello call(int peer, int purpose, int subject) {
        return new Hello(purpose, 0, 0, peer, membership.size(), subject);
    }

    /** A rank was told what it was called for, or cannot be reached. */
    void told(int peer, int purpose, int subject, boolean reached) {
        membership.told(peer);
        Deque<Integer> ranks;
        synchronized (this) {
            ranks = called.remove(call(peer, purpose, subject));
        }
        if (ranks == null) {
            return;
        }
        if (reached) {
            know(purpose, ranks);
        } else {
            ranks.removeFirst();
            call(purpose, subject, ranks);
        }
    }

    private void know(int purpose, Deque<Integer> ranks) {
        if (purpose == Hello.GOODBYE) {
            ranks.forEach(membership::told);
        }
    }

    /** Tells the other ranks of this process what one of them has heard. */
    void tellBeside(Hello news) {
        if (!apart) {
            for (Strangers each : List.copyOf(BESIDE.getOrDefault(key, Set.of()))) {
                if (each != this) {
                    each.onNews.accept(news);
                }
            }
        }
    }
}
