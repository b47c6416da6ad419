package org.galerna.sockets.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.link.counters.ServiceCounters;

/** What the sockets of this process have done, for other processes of the user to read: the commands {@code galerna jobs} and {@code top}. */
public final class SocketsPage {
    private static final String KIND = "sockets";

    private SocketsPage() {}

    /** Shows them until the process ends. */
    public static void show() {
        ServiceCounters.show(KIND, 0, () -> new ServiceCounters.Counted(figures(Counters.INSTANCE), List.of()));
    }

    private static Map<String, Long> figures(Counters counters) {
        Counters.Traffic traffic = counters.traffic();
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("connectedFast", counters.getConnectedFast());
        figures.put("acceptedFast", counters.getAcceptedFast());
        figures.put("openFast", (long) counters.getOpenFast());
        counters.getFast().forEach((pipe, count) -> figures.put("fast." + pipe, count));
        counters.getPlain().forEach((reason, count) -> figures.put("plain." + reason, count));
        figures.put("fastBytesSent", traffic.written());
        figures.put("fastBytesReceived", traffic.taken());
        figures.put("systemCallsSaved", traffic.callsSaved());
        return figures;
    }
}
