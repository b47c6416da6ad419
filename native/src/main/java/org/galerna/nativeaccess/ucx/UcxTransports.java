package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.galerna.nativeaccess.library.LibraryFunction;

/** What UCX may use on this machine. UCX says it in a text for people alone, which is read here. */
public final class UcxTransports {
    /** A line such as {@code resource 0 : md 1 dev 5 flags -- tcp/eth0}. */
    private static final Pattern RESOURCE = Pattern.compile("(?m)^#\\s+resource\\s+\\d+\\s*:.*?([^\\s/]+)/(\\S+)\\s*$");

    private UcxTransports() {}

    /**
     * The transports, each with its devices and their addresses, such as {@code eth0 at 192.0.2.2}; those first that UCX
     * names first. {@code UCX_TLS} and {@code UCX_NET_DEVICES} limit them.
     *
     * @throws UcxException if UCX can use nothing
     */
    public static Map<String, List<String>> all() throws UcxException {
        try (UcxWorker worker = UcxWorker.open(UcxLibrary.open(), (_, _) -> {}, 1, 0, Map.of())) {
            return of(worker.library(), worker.context());
        }
    }

    /** As {@link #all}, in one line. */
    public static String inWords() throws UcxException {
        return all().entrySet().stream()
                .map(each -> each.getKey() + " on " + String.join(", ", each.getValue()))
                .collect(Collectors.joining("; "));
    }

    /** Those of a context. */
    static Map<String, List<String>> of(UcxLibrary library, long context) {
        return parse(text(library, context));
    }

    static Map<String, List<String>> parse(String text) {
        Map<String, List<String>> transports = new LinkedHashMap<>();
        Matcher lines = RESOURCE.matcher(text);
        while (lines.find()) {
            List<String> devices = transports.computeIfAbsent(lines.group(1), _ -> new ArrayList<>());
            String device = lines.group(2) + address(lines.group(2));
            if (!devices.contains(device)) {
                devices.add(device);
            }
        }
        return transports;
    }

    private static String address(String device) {
        try {
            NetworkInterface network = NetworkInterface.getByName(device);
            return network == null
                    ? ""
                    : network.inetAddresses()
                            .min(Comparator.comparingInt(each -> each.getAddress().length)) // IPv4, if it has one
                            .map(each -> " at " + each.getHostAddress())
                            .orElse("");
        } catch (SocketException unknown) {
            return "";
        }
    }

    /** Has UCX print into memory. */
    @SuppressWarnings("restricted") // the C library says where the text is and how long
    private static String text(UcxLibrary library, long context) {
        SymbolLookup system = Linker.nativeLinker().defaultLookup();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ADDRESS);
            MemorySegment length = arena.allocate(JAVA_LONG);
            long stream = LibraryFunction.of(system, "open_memstream").call(text.address(), length.address());
            if (stream == 0) {
                return "";
            }
            library.printContext.call(context, stream);
            LibraryFunction.of(system, "fclose").call(stream);
            MemorySegment all = text.get(ADDRESS, 0).reinterpret(length.get(JAVA_LONG, 0) + 1);
            try {
                return all.getString(0);
            } finally {
                LibraryFunction.of(system, "free").call(all.address());
            }
        }
    }
}
