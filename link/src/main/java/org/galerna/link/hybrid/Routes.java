package org.galerna.link.hybrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;

/** Which of several links reaches each peer: the first one that can. */
final class Routes {
    private final Route[] routes;
    private final List<Link> used;

    private Routes(Route[] routes, List<Link> used) {
        this.routes = routes;
        this.used = used;
    }

    /**
     * Chooses; to be called after the links' addresses have been exchanged.
     *
     * @param links the candidates, the fastest first
     * @param refused why there are no more candidates, a sentence each
     */
    static Routes choose(int rank, int size, List<Link> links, List<String> refused) {
        Route[] routes = new Route[size];
        Link fastest = links.getFirst();
        if (fastest.reachesAll()) {
            Arrays.fill(routes, new Route(fastest, List.copyOf(refused)));
            routes[rank] = new Route(fastest, List.of());
            return new Routes(routes, List.of(fastest));
        }
        List<Link> used = new ArrayList<>();
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                routes[peer] = route(peer, links, refused);
                if (!used.contains(routes[peer].link())) {
                    used.add(routes[peer].link());
                }
            }
        }
        used.sort((one, other) -> Integer.compare(links.indexOf(one), links.indexOf(other)));
        if (used.isEmpty()) {
            used.add(links.getFirst());
        }
        // a link for this rank alone would only cost time in every poll
        routes[rank] = new Route(used.getFirst(), List.of());
        return new Routes(routes, List.copyOf(used));
    }

    private static Route route(int peer, List<Link> links, List<String> refused) {
        List<String> against = new ArrayList<>(refused);
        for (Link link : links) {
            Optional<String> reason = reasonAgainst(link, peer);
            if (reason.isEmpty()) {
                return new Route(link, List.copyOf(against));
            }
            against.add(link.name() + ": " + reason.get());
        }
        throw new CommunicationException("no link reaches rank " + peer + " (" + String.join("; ", against) + ")");
    }

    /** Why a link does not reach a peer; empty if it does. */
    static Optional<String> reasonAgainst(Link link, int peer) {
        try {
            return link.unreachable(peer);
        } catch (CommunicationException noAddress) {
            // the peer itself could not use this link
            return Optional.of(String.valueOf(noAddress.getMessage()));
        }
    }

    /** The route to a peer. */
    Route to(int peer) {
        return routes[peer];
    }

    /** Number of ranks other than this one that a link reaches. */
    int peersOf(int rank, Link link) {
        return (int) IntStream.range(0, routes.length)
                .filter(peer -> peer != rank && routes[peer].link() == link)
                .count();
    }

    /** The links that reach anybody, the fastest first. */
    List<Link> used() {
        return used;
    }

    /**
     * A choice.
     *
     * @param against why none of the faster links was chosen, a sentence each that begins with the link's name
     */
    record Route(Link link, List<String> against) {}
}
