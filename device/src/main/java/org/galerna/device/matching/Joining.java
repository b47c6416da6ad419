package org.galerna.device.matching;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Explaining;
import org.galerna.device.support.Membership;
import org.galerna.link.Link;
import org.galerna.link.Wireup;
import org.galerna.link.process.ShortTurns;
import org.galerna.link.wireup.Hosts;

/** How a rank joins the others: it publishes where it is, waits for all, and makes the device. */
final class Joining {
    /** How long a rank that ends without closing its device waits for peers that do not take what it has sent. */
    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private Joining() {}

    /**
     * A device over links that have just been opened, and are closed if this fails. Waits until every rank has got as far.
     *
     * @param nameOnOneHost name of the device whose way messages inside one host take
     */
    static Device open(
            String name,
            String nameOnOneHost,
            OpenedLinks links,
            Wireup wireup,
            Function<Link, DeviceOptions> options) {
        try {
            return join(name, nameOnOneHost, links, wireup, options);
        } catch (RuntimeException failed) {
            links.link().close();
            throw failed;
        }
    }

    private static Device join(
            String name,
            String nameOnOneHost,
            OpenedLinks links,
            Wireup wireup,
            Function<Link, DeviceOptions> options) {
        ShortTurns.ask(); // for this rank, which will wait and be waited for
        Hosts.publish(wireup, links.offerHeap());
        Membership membership = new Membership(wireup);
        BlockedCalls blocked = new BlockedCalls(membership);
        DeviceMonitor monitor = new DeviceMonitor(membership, blocked, () -> abandon(links.link()));
        // before the fence: a job that is given up meanwhile must not find this rank in its first receive for ever
        wireup.observe(monitor);
        Compensation.during(wireup::fence);
        if (links.openFurther()) {
            Compensation.during(wireup::fence);
        }
        failUnlessComplete(name, links.link(), wireup);
        Link settled = links.settled();
        Hosts hosts = Hosts.of(wireup);
        MatchingDevice device = new MatchingDevice(name, nameOnOneHost, settled, hosts, membership, blocked, options);
        monitor.show(device::moves);
        membership.joined(name);
        Explaining.say(wireup.rank(), () -> Explanation.of(links, wireup));
        Explanation.record(links, wireup);
        Explaining.sayIfWanted(() -> FootprintText.of(settled, wireup, hosts, links.offerHeap()));
        return device;
    }

    /** The process may end at once, and its system would take down with a socket what the peers have not taken. */
    private static void abandon(Link link) {
        link.stop();
        link.drain(LONGEST_DRAIN_NANOS);
    }

    private static void failUnlessComplete(String name, Link link, Wireup wireup) {
        if (link.reachesAll()) {
            return;
        }
        for (int peer = 0; peer < wireup.size(); peer++) {
            Optional<String> reason = link.via(peer).unreachable(peer);
            if (reason.isPresent()) {
                throw new DeviceException(
                        ErrorClass.OTHER, "rank " + wireup.rank() + " cannot use device " + name + ": " + reason.get());
            }
        }
    }
}
