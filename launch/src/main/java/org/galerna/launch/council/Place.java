package org.galerna.launch.council;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import org.galerna.link.wireup.Host;

/**
 * Where a process of the job listens.
 *
 * @param addresses of its host, for those on other hosts
 */
public record Place(Host host, int port, List<String> addresses) {
    private static final int LINES = 3;

    /** Of a process of this job. */
    public Place {
        addresses = List.copyOf(addresses);
    }

    /** Where this process listens. */
    public static Place here(int port) {
        return new Place(Host.here(), port, addressesHere());
    }

    private static List<String> addressesHere() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (SocketException noInterfaces) {
            return List.of();
        }
    }

    /** Whether it is on this host. */
    boolean isHere() {
        return host.sharesNetworkWith(Host.here());
    }

    /** What a process of the job may connect to, for as long as one of them answers. */
    public List<InetSocketAddress> sockets() {
        return isHere()
                ? List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                : addresses.stream()
                        .map(address -> new InetSocketAddress(address, port))
                        .toList();
    }

    /** As bytes for the others. */
    public byte[] encode() {
        return (host.encode() + "\n" + port + "\n" + String.join(" ", addresses)).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Place decode(byte[] bytes) {
        String[] lines = new String(bytes, UTF_8).split("\n", -1);
        if (lines.length != LINES) {
            throw new IllegalArgumentException("no place of a process: " + lines.length + " lines of text");
        }
        List<String> addresses = lines[2].isEmpty() ? List.of() : Arrays.asList(lines[2].split(" "));
        return new Place(Host.decode(lines[0]), Integer.parseInt(lines[1]), addresses);
    }
}
