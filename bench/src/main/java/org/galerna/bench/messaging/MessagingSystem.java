package org.galerna.bench.messaging;

import java.util.Map;
import java.util.Optional;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.ProcessContender;

/**
 * Object messaging, each node a process of its own.
 *
 * @param build of Galerna that is measured
 * @param link name of the network, such as "shm"
 * @param senders threads of each node that send at once
 * @param arrays objects of each node that are sent in turn: as many whatever the number of senders, so that what is compared
 *     reads as much memory
 * @param handlers threads of each node that receive; with more than one, messages are handled concurrently
 */
public record MessagingSystem(GalernaBuild build, String link, int senders, int arrays, int handlers)
        implements ContenderFactory {
    private static final int LEAST_WARM_UPS = 2;
    private static final int WARM_UPS_PER_SENDER = 2;
    private static final int MOST_COUNTED = 4;

    /** That of this process's build. */
    public MessagingSystem(String link, int senders, int arrays, int handlers) {
        this(GalernaBuild.own(), link, senders, arrays, handlers);
    }

    @Override
    public String name() {
        return build.system();
    }

    @Override
    public Optional<ContenderFactory> of(GalernaBuild other) {
        return Optional.of(new MessagingSystem(other, link, senders, arrays, handlers));
    }

    /** Where it is measured, as reports call it. */
    String level() {
        return "messaging " + link + (senders == 1 ? "" : ", " + senders + " senders")
                + (handlers == 1 ? "" : ", " + handlers + " handlers");
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public int threads() {
        return senders;
    }

    /** Two processes of several threads are compiled on the cores that these threads share. */
    @Override
    public int warmUps() {
        return LEAST_WARM_UPS + Math.min(senders, MOST_COUNTED) * WARM_UPS_PER_SENDER;
    }

    @Override
    public Contender start(int ranks) {
        return ProcessContender.start(name(), level(), ranks, MessagingRank.command(0, ranks, this), Map.of());
    }
}
