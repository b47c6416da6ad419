package org.galerna.link.tcp.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.wireup.Host;
import org.galerna.memory.SystemRandom;

/**
 * Where a rank can be reached: its host, what protects it, then its sockets. Published as text, one of these on a line.
 *
 * @param process the same for the ranks of one process only
 * @param security what protects connections, see {@link Security#name}
 * @param sockets in the notation of the {@link Network}
 */
public record Address(Host host, String process, String security, List<String> sockets) {
    private static final String PROCESS = SystemRandom.uuid().toString();

    /** The address of a rank of this process. */
    public static Address here(List<String> sockets) {
        return new Address(Host.here(), PROCESS, Security.NONE.name(), List.copyOf(sockets));
    }

    /** This address with connections that are protected. */
    public Address protectedBy(Security protection) {
        return new Address(host, process, protection.name(), sockets);
    }

    /** Name of the host, for messages. */
    String hostName() {
        return host.name();
    }

    /** Whether a loopback interface leads from the one to the other. */
    boolean sharesNetworkWith(Address other) {
        return host.sharesNetworkWith(other.host);
    }

    public byte[] encode() {
        return (host.encode() + "\n" + process + "\n" + security + "\n" + String.join("\n", sockets)).getBytes(UTF_8);
    }

    /** What it has in common with those of ranks that this one can reach by a loopback interface. */
    byte[] place() {
        return host.encode().concat("\n").concat(security).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Address decode(byte[] bytes) {
        List<String> lines = Arrays.asList(new String(bytes, UTF_8).split("\n", -1));
        if (lines.size() < 4) {
            throw new IllegalArgumentException("no address of a rank: " + lines.size() + " lines of text");
        }
        return new Address(
                Host.decode(lines.get(0)), lines.get(1), lines.get(2), List.copyOf(lines.subList(3, lines.size())));
    }
}
