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
import org.galerna.link.CommunicationException;
import org.galerna.link.tcp.connecting.ConnectionManager;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Directory;

/**
 * Tells ranks that there is no connection to that a rank leaves or is lost. One rank of each process is called, and tells the
 * others there; if it cannot be reached the next one is. Safe for use by many threads.
 */
final class Strangers {
    /** Attachments of this process by job and name. */
    private static final Map<String, Set<SocketLink>> BESIDE = new ConcurrentHashMap<>();

    private final SocketLink link;
    private final Directory directory;
    private final Membership membership;
    private final boolean apart;
    private final String key;

    // guarded by this
    private final BitSet goodbyes = new BitSet();
    private final Map<Hello, Deque<Integer>> called = new HashMap<>();

    /**
     * Nobody is told yet.
     *
     * @param apart whether every rank is called, as if it had a process of its own
     */
    Strangers(SocketLink link, String job, Directory directory, Membership membership, boolean apart) {
        this.link = link;
        this.directory = directory;
        this.membership = membership;
        this.apart = apart;
        this.key = job + "/" + directory.name();
    }

    /** Lets the other ranks of this process tell this one. */
    void begin() {
        BESIDE.computeIfAbsent(key, _ -> ConcurrentHashMap.newKeySet()).add(link);
    }

    void end() {
        BESIDE.computeIfPresent(key, (_, links) -> {
            links.remove(link);
            return links.isEmpty() ? null : links;
        });
    }

    /** Has all ranks told that another one is lost to which there is no connection. */
    void tellOfLoss(ConnectionManager manager, int rank, int lost) {
        tell(manager, rank, Hello.LOST, lost, membership.strangers());
    }

    /** Has all told that this rank leaves that have not been yet. */
    void sayGoodbye(ConnectionManager manager, int rank) {
        List<Integer> others = new ArrayList<>();
        synchronized (this) {
            for (int peer : membership.strangers()) {
                if (!goodbyes.get(peer)) {
                    goodbyes.set(peer);
                    others.add(peer);
                }
            }
        }
        tell(manager, rank, Hello.GOODBYE, 0, others);
    }

    private void tell(ConnectionManager manager, int rank, int purpose, int subject, List<Integer> peers) {
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
            call(manager, purpose, subject, ranks);
        }
    }

    private void call(ConnectionManager manager, int purpose, int subject, Deque<Integer> ranks) {
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
    void told(ConnectionManager manager, int peer, int purpose, int subject, boolean reached) {
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
            call(manager, purpose, subject, ranks);
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
            List.copyOf(BESIDE.getOrDefault(key, Set.of())).forEach(each -> {
                if (each != link) {
                    each.hear(news);
                }
            });
        }
    }
}
