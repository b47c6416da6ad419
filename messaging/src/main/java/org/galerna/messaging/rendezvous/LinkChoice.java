package org.galerna.messaging.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/**
 * Which link two nodes use: the first that both can open and that reaches the other. They try one after the other, in the
 * order of the node with the lower number, so that no thread or socket of a link that is not used stays.
 */
public final class LinkChoice {
    private static final String NAMES = "galerna.messaging.links";
    private static final String OFFER = "galerna.messaging.offer.";
    private static final String YES = "";

    private LinkChoice() {}

    /**
     * Opens a link.
     *
     * @param names names of the links that this node may use, the fastest first
     * @throws CommunicationException if none connects the two; the message says why each does not
     */
    public static Link open(List<String> names, Wireup wireup, LinkOptions options) {
        wireup.put(NAMES, String.join(" ", names).getBytes(UTF_8));
        wireup.fence();
        int peer = 1 - wireup.rank();
        List<String> refused = new ArrayList<>();
        int number = 0;
        for (String name : new String(wireup.get(0, NAMES), UTF_8).split(" ")) {
            Link link = attempt(name, names.contains(name), wireup, options, OFFER + number++, peer, refused);
            if (link != null) {
                return link;
            }
        }
        throw new CommunicationException("no link connects the two nodes (" + String.join("; ", refused) + ")");
    }

    private static @Nullable Link attempt(
            String name,
            boolean wanted,
            Wireup wireup,
            LinkOptions options,
            String key,
            int peer,
            List<String> refused) {
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
            wireup.put(
                    key,
                    obstacle.substring(0, Math.min(obstacle.length(), 1000)).getBytes(UTF_8));
            wireup.fence();
            String theirs = new String(wireup.get(peer, key), UTF_8);
            if (link != null && theirs.equals(YES)) {
                Optional<String> unreachable = link.unreachable(peer);
                if (unreachable.isEmpty()) {
                    return link;
                }
                obstacle = unreachable.get();
            }
            refused.add(name + ": " + (obstacle.equals(YES) ? theirs : obstacle));
        } catch (RuntimeException failed) {
            if (link != null) {
                link.close();
            }
            throw failed;
        }
        if (link != null) {
            link.close();
        }
        return null;
    }
}
