package org.galerna.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;
import org.galerna.nativeaccess.verbs.Adapter;
import org.galerna.nativeaccess.verbs.AdapterLimits;
import org.galerna.nativeaccess.verbs.CompletionChannel;
import org.galerna.nativeaccess.verbs.CompletionQueue;
import org.galerna.nativeaccess.verbs.Gid;
import org.galerna.nativeaccess.verbs.InlineProbe;
import org.galerna.nativeaccess.verbs.Port;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.SharedReceiveQueue;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;

/** Adapters for InfiniBand, RoCE and iWARP, and what is needed for their use. */
final class AdapterCheck {
    private static final String SUBJECT = "RDMA adapters";
    private static final long MEBIBYTE = 1 << 20;
    private static final long ENOUGH = 512 * MEBIBYTE;
    private static final int QUEUE = 64;

    private AdapterCheck() {}

    static List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Optional<String> obstacle = VerbsLibrary.unavailable();
        List<String> names = List.of();
        if (obstacle.isEmpty()) {
            try {
                names = VerbsLibrary.open().adapters();
            } catch (VerbsException failed) {
                obstacle = Optional.of(String.valueOf(failed.getMessage()));
            }
        }
        if (names.isEmpty()) {
            findings.add(Finding.less(
                    SUBJECT,
                    "none",
                    "They cannot be used: "
                            + obstacle.orElse("there is no adapter, or its driver (and ib_uverbs) is not loaded")
                            + "."));
        }
        for (String name : names) {
            findings.add(look(name));
        }
        if (!names.isEmpty()) {
            findings.add(RdmaCm.unavailable()
                    .map(reason -> Finding.less(
                            "RDMA CM",
                            "not usable",
                            reason + ". Queue pairs are connected through sockets; iWARP needs it."))
                    .orElseGet(() -> Finding.good("RDMA CM", "usable", "")));
        }
        findings.add(lockedMemory(!names.isEmpty()));
        return findings;
    }

    private static Finding look(String name) {
        String subject = "adapter " + name;
        try (Adapter adapter = VerbsLibrary.open().adapter(name)) {
            AdapterLimits limits = adapter.limits();
            List<String> ports = new ArrayList<>();
            boolean active = false;
            for (int number = 1; number <= limits.ports(); number++) {
                Port port = adapter.port(number);
                active |= port.isActive();
                ports.add(describe(adapter, port));
            }
            String firmware = limits.firmware().isEmpty() ? "" : ", firmware " + limits.firmware();
            String value = String.join("; ", ports) + ", inline " + inline(adapter) + " bytes" + firmware;
            return active
                    ? Finding.good(subject, value, "Usable.")
                    : Finding.less(
                            subject,
                            value,
                            "No port is active: look at the cable, the switch and, on InfiniBand,"
                                    + " whether a subnet manager runs.");
        } catch (VerbsException failed) {
            return Finding.less(subject, "cannot be used", failed.getMessage() + ".");
        }
    }

    private static String describe(Adapter adapter, Port port) throws VerbsException {
        String kind = adapter.isIwarp() ? "iWARP" : port.ethernet() ? "RoCE" : "InfiniBand LID " + port.lid();
        List<Gid> gids = adapter.gids(port);
        String addresses = gids.stream()
                .filter(gid -> gid.ipv4().isPresent())
                .map(gid -> gid + " (GID " + gid.index() + ")")
                .collect(Collectors.joining(", "));
        return "port " + port.number() + " " + kind + " " + port.describeState() + ", packets of " + port.mtu()
                + " bytes" + (addresses.isEmpty() ? "" : ", " + addresses);
    }

    private static int inline(Adapter adapter) throws VerbsException {
        try (ProtectionDomain domain = adapter.newProtectionDomain();
                CompletionChannel channel = adapter.newCompletionChannel();
                CompletionQueue completions = adapter.newCompletionQueue(QUEUE, channel);
                SharedReceiveQueue receives = domain.newSharedReceiveQueue(QUEUE)) {
            return new InlineProbe(domain, completions, receives, QUEUE).limit(-1);
        }
    }

    private static Finding lockedMemory(boolean matters) {
        OptionalLong limit = LockedMemoryLimit.bytes();
        if (limit.isEmpty()) {
            return Finding.good("locked memory", "no limit known", "");
        }
        long bytes = limit.getAsLong();
        if (bytes == LockedMemoryLimit.NONE) {
            return Finding.good("locked memory", "unlimited", "");
        }
        String value = String.format(Locale.ROOT, "%,d KiB", bytes / 1024);
        return matters && bytes < ENOUGH
                ? Finding.less(
                        "locked memory",
                        value,
                        "RDMA locks the memory it uses. Have the limit raised, e.g. \"* - memlock unlimited\" in"
                                + " /etc/security/limits.conf, or LimitMEMLOCK=infinity for the job manager's daemon.")
                : Finding.good("locked memory", value, "");
    }
}
