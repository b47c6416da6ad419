package org.galerna.link.pair;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.process.PeerTimeout;
import org.jspecify.annotations.Nullable;

/**
 * Which link two processes use: the first that both can open and that carries a frame each way. They try one after the other,
 * in the order of rank 0, so that no thread or socket of a link that is not used stays.
 *
 * @param link that is used
 * @param failed links that both could open, and that did not carry anything, each with the reason
 */
public record LinkChoice(Link link, List<String> failed) {
    private static final String NAMES = "galerna.pair.links";
    private static final String OFFER = "galerna.pair.offer.";
    private static final String TRIAL = "galerna.pair.trial.";
    private static final String YES = "";
    private static final int LONGEST = 1000;

    /**
     * Opens a link.
     *
     * @param names names of the links that this process may use, the fastest first
     * @param nanos how long the two may take, in nanoseconds: one side that waits longer than the other one waits in vain.
     *     Whether a link works is to be found out within {@link PeerTimeout}, and within half of what is left, so that the
     *     next link can be tried; the last one has three quarters of what is left.
     * @throws NoLinkException if none connects the two; the message says why each does not
     * @throws CommunicationException if the other side says nothing more
     * @throws IllegalArgumentException if {@link PeerTimeout} is no such time
     */
    public static LinkChoice open(List<String> names, PairWireup wireup, LinkOptions options, long nanos) {
        List<String> refused = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        try {
            LinkChoice choice = choose(names, wireup, options, System.nanoTime() + nanos, refused, failed);
            if (choice != null) {
                return choice;
            }
        } catch (CommunicationException ended) {
            if (failed.isEmpty()) {
                throw ended;
            }
            throw new NoLinkException(none(refused, failed), ended);
        }
        throw new NoLinkException(none(refused, failed), null);
    }

    private static String none(List<String> refused, List<String> failed) {
        return "no link connects the two ("
                + Stream.concat(refused.stream(), failed.stream()).collect(Collectors.joining("; ")) + ")";
    }

    private static @Nullable LinkChoice choose(
            List<String> names,
            PairWireup wireup,
            LinkOptions options,
            long end,
            List<String> refused,
            List<String> failed) {
        wireup.put(NAMES, String.join(" ", names).getBytes(UTF_8));
        wireup.fence();
        int number = 0;
        String[] order = new String(wireup.get(0, NAMES), UTF_8).split(" ");
        for (String name : order) {
            Attempt attempt = new Attempt(name, wireup, number++, number == order.length);
            Link link = attempt.open(names.contains(name), options, refused);
            if (link != null && attempt.succeeds(link, end, failed)) {
                int peer = 1 - wireup.rank();
                FlightEvents.linkChosen(
                        FlightEvents.NO_RANK,
                        wireup.nameOf(peer).orElse(wireup.job()),
                        name,
                        String.join(
                                "; ",
                                Stream.concat(refused.stream(), failed.stream()).toList()));
                return new LinkChoice(link, List.copyOf(failed));
            }
        }
        return null;
    }

    /** One of the links, number so and so in the order. */
    private record Attempt(String name, PairWireup wireup, int number, boolean isLast) {
        /** Tells the other side what stands in the way here, and asks what does there; {@link #YES} if nothing. */
        private String exchange(String key, String obstacle) {
            wireup.put(
                    key + number,
                    obstacle.substring(0, Math.min(obstacle.length(), LONGEST)).getBytes(UTF_8));
            wireup.fence();
            return new String(wireup.get(1 - wireup.rank(), key + number), UTF_8);
        }

        /** Opens the link on both sides or on none; null if it cannot reach the other. */
        private @Nullable Link open(boolean wanted, LinkOptions options, List<String> refused) {
            Link link = null;
            String obstacle;
            try {
                Optional<String> unavailable =
                        wanted ? LinkProvider.named(name).unavailable(wireup) : Optional.of("not to be used");
                obstacle = wireup.inWords(unavailable.orElse(YES));
                if (unavailable.isEmpty()) {
                    link = LinkProvider.named(name).open(wireup, options);
                }
            } catch (CommunicationException | IllegalArgumentException failed) {
                obstacle = wireup.inWords(String.valueOf(failed.getMessage()));
            }
            try {
                String theirs = exchange(OFFER, obstacle);
                if (link != null && theirs.equals(YES)) {
                    Optional<String> unreachable = link.unreachable(1 - wireup.rank());
                    if (unreachable.isEmpty()) {
                        return link;
                    }
                    obstacle = wireup.inWords(unreachable.get());
                }
                refused.add(name + ": " + (obstacle.equals(YES) ? theirs : obstacle));
            } catch (RuntimeException failed) {
                close(link);
                throw failed;
            }
            close(link);
            return null;
        }

        /** Tries the link; closed if it does not work for both. */
        private boolean succeeds(Link link, long end, List<String> failures) {
            int peer = 1 - wireup.rank();
            try {
                long left = end - System.nanoTime();
                long nanos = isLast ? left / 4 * 3 : Math.min(PeerTimeout.nanos(), left / 2);
                String obstacle = ConnectivityProbe.of(link, peer, nanos, this::hasFailedThere)
                        .orElse(YES);
                if (!obstacle.equals(YES)) {
                    obstacle = wireup.inWords(link.unreachable(peer).orElse(obstacle)); // it may know more by now
                    link.close();
                    failures.add(name + ": " + obstacle); // in case that the other side says nothing more
                }
                String theirs = exchange(TRIAL, obstacle);
                if (obstacle.equals(YES) && theirs.equals(YES)) {
                    return true;
                }
                if (!obstacle.equals(YES)) {
                    failures.removeLast();
                }
                failures.add(name + ": " + both(obstacle, theirs));
            } catch (RuntimeException failed) {
                close(link);
                throw failed;
            }
            close(link);
            return false;
        }

        private boolean hasFailedThere() {
            return wireup.early(TRIAL + number)
                    .filter(theirs -> theirs.length > 0)
                    .isPresent();
        }

        private static String both(String obstacle, String theirs) {
            if (obstacle.equals(YES) || obstacle.equals(ConnectivityProbe.GIVEN_UP)) {
                return theirs;
            }
            return theirs.equals(YES) || theirs.equals(ConnectivityProbe.GIVEN_UP) || theirs.equals(obstacle)
                    ? obstacle
                    : obstacle + "; there: " + theirs;
        }

        private static void close(@Nullable Link link) {
            if (link != null) {
                link.close();
            }
        }
    }
}
