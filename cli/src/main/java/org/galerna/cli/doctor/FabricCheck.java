package org.galerna.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.nativeaccess.ofi.OfiProvider;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxTransports;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** What UCX and libfabric find on this machine. Why one cannot be used, the check of devices says. */
final class FabricCheck {
    private FabricCheck() {}

    static List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (UcxWorker.unavailable().isEmpty()) {
            findings.add(transports());
        }
        if (OfiLibrary.unavailable().isEmpty()) {
            findings.add(providers());
        }
        return findings;
    }

    private static Finding transports() {
        String subject = "UCX " + UcxLibrary.open().version();
        try {
            return Finding.good(subject, UcxTransports.inWords(), "UCX_TLS and UCX_NET_DEVICES say what it may use.");
        } catch (UcxException failed) {
            return Finding.less(subject, "finds nothing", failed.getMessage() + ".");
        }
    }

    private static Finding providers() {
        String subject = "libfabric " + OfiLibrary.open().version();
        try {
            Map<String, List<String>> places = new LinkedHashMap<>();
            for (OfiProvider each : OfiLibrary.open().providers()) {
                List<String> known = places.computeIfAbsent(each.name(), _ -> new ArrayList<>());
                String place = each.domain() + (each.address().isEmpty() ? "" : " at " + each.address());
                if (!known.contains(place)) {
                    known.add(place);
                }
            }
            List<String> all = new ArrayList<>();
            places.forEach((name, where) -> all.add(name + " on " + String.join(", ", where)));
            return all.isEmpty()
                    ? Finding.less(subject, "finds nothing", "No provider has messages and remote memory access.")
                    : Finding.good(subject, String.join("; ", all), "galerna.ofi.provider chooses one.");
        } catch (OfiException failed) {
            return Finding.less(subject, "finds nothing", failed.getMessage() + ".");
        }
    }
}
