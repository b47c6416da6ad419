package org.galerna.link.tcp.network;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;

/** Which of the machine's network interfaces the ranks use. */
public final class Interfaces {
    /** System property: name of an interface, an address, or a network as {@code 10.0.0.0/8}. */
    public static final String PROPERTY = "galerna.tcp.interface";

    private static final int MOST_ADDRESSES = 4;

    /** Interfaces to virtual machines and containers of this host, which other hosts cannot use. */
    private static final Pattern INTERNAL = Pattern.compile("docker.*|br-.*|virbr.*|lxc.*|veth.*|cni.*|podman.*");

    private Interfaces() {}

    /**
     * Where to listen.
     *
     * @param named whether the user has asked for it
     */
    public record Choice(List<InetAddress> addresses, boolean named) {}

    /** The choice for this machine and these system properties. */
    public static Choice choose() throws IOException {
        String wanted = System.getProperty(PROPERTY, "").strip();
        List<NetworkInterface> up =
                NetworkInterface.networkInterfaces().filter(Interfaces::isUp).toList();
        if (wanted.isEmpty()) {
            return new Choice(byDefault(up), false);
        }
        List<InetAddress> matching = up.stream()
                .flatMap(each -> each.inetAddresses().filter(address -> matches(wanted, each, address)))
                .sorted(Interfaces::compare)
                .toList();
        if (matching.isEmpty()) {
            throw new CommunicationException(PROPERTY + " is \"" + wanted
                    + "\", which is no interface, address or network of this machine; it has " + describe(up));
        }
        return new Choice(matching.subList(0, Math.min(matching.size(), MOST_ADDRESSES)), true);
    }

    /** Loopback for ranks on this host, and what other hosts may be able to reach. */
    private static List<InetAddress> byDefault(List<NetworkInterface> up) {
        List<InetAddress> addresses = new ArrayList<>();
        addresses.add(InetAddress.getLoopbackAddress());
        up.stream()
                .filter(each -> !INTERNAL.matcher(each.getName()).matches())
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .sorted(Interfaces::compare)
                .limit(MOST_ADDRESSES)
                .forEach(addresses::add);
        return addresses;
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException gone) {
            return false;
        }
    }

    /** No comparator of the JDK's, which would be a new class in each start. */
    private static int compare(InetAddress one, InetAddress other) {
        return Integer.compare(preference(one), preference(other));
    }

    private static int preference(InetAddress address) {
        return (address instanceof Inet4Address ? 0 : 1) + (address.isLinkLocalAddress() ? 2 : 0);
    }

    private static boolean matches(String wanted, NetworkInterface network, InetAddress address) {
        if (wanted.equals(network.getName())) {
            return true;
        }
        int slash = wanted.indexOf('/');
        try {
            InetAddress given = InetAddress.ofLiteral(slash < 0 ? wanted : wanted.substring(0, slash));
            byte[] one = given.getAddress();
            byte[] other = address.getAddress();
            int bits = slash < 0 ? one.length * 8 : Integer.parseInt(wanted.substring(slash + 1));
            return one.length == other.length && bits <= one.length * 8 && bits >= 0 && agree(one, other, bits);
        } catch (IllegalArgumentException noAddress) { // a name, or no number behind the slash
            return false;
        }
    }

    private static boolean agree(byte[] one, byte[] other, int bits) {
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >>> (bit & 7);
            if (((one[bit >>> 3] ^ other[bit >>> 3]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static String describe(List<NetworkInterface> up) {
        Set<String> texts = new TreeSet<>();
        for (NetworkInterface each : up) {
            Stream<InetAddress> addresses = each.inetAddresses();
            texts.add(each.getName() + " ("
                    + String.join(
                            ", ", addresses.map(InetAddress::getHostAddress).toList())
                    + ")");
        }
        return String.join(", ", texts);
    }
}
