package org.galerna.link.pair;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
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
     *     next link can be tried.
     * @throws CommunicationException if none connects the two; the message says why each does not
     * @throws IllegalArgumentException if {@link PeerTimeout} is no such time
     */
    public static LinkChoice open(List<String> names, Wireup wireup, LinkOptions options, long nanos) {
        long end = System.nanoTime() + nanos;
        wireup.put(NAMES, String.join(" ", names).getBytes(UTF_8));
        wireup.fence();
        List<String> refused = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        int number = 0;
        for (String name : new String(wireup.get(0, NAMES), UTF_8).split(" ")) {
            Attempt attempt = new Attempt(name, wireup, number++);
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
        refused.addAll(failed);
        throw new CommunicationException("no link connects the two (" + String.join("; ", refused) + ")");
    }

    /** One of the links, number so and so in the order. */
    private record Attempt(String name, Wireup wireup, int number) {
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
                obstacle = unavailable.orElse(YES);
                if (unavailable.isEmpty()) {
                    link = LinkProvider.named(name).open(wireup, options);
                }
            } catch (CommunicationException | IllegalArgumentException failed) {
                obstacle = String.valueOf(failed.getMessage());
            }
            try {
                String theirs = exchange(OFFER, obstacle);
                if (link != null && theirs.equals(YES)) {
                    Optional<String> unreachable = link.unreachable(1 - wireup.rank());
                    if (unreachable.isEmpty()) {
                        return link;
                    }
                    obstacle = unreachable.get();
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
            try {
                long nanos = Math.min(PeerTimeout.nanos(), (end - System.nanoTime()) / 2);
                String obstacle =
                        ConnectivityProbe.of(link, 1 - wireup.rank(), nanos).orElse(YES);
                if (!obstacle.equals(YES)) {
                    link.close(); // at once: so the other side learns it, if it waits
                }
                String theirs = exchange(TRIAL, obstacle);
                if (obstacle.equals(YES) && theirs.equals(YES)) {
                    return true;
                }
                failures.add(name + ": " + (obstacle.equals(YES) ? theirs : obstacle));
            } catch (RuntimeException failed) {
                close(link);
                throw failed;
            }
            close(link);
            return false;
        }

        private static void close(@Nullable Link link) {
            if (link != null) {
                link.close();
            }
        }
    }
}
