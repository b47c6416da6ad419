package org.galerna.launch.process;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.galerna.link.wireup.Host;

/** Names of hosts, and which of them means this one. */
final class HostName {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F.]*:[0-9a-fA-F:.%\\w]*");

    private HostName() {}

    /** True if this name can only mean the host of this process. */
    static boolean isHere(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("localhost")
                || isSame(lower, Host.nameHere().toLowerCase(Locale.ROOT))
                || isOwnAddress(name);
    }

    /** With a domain or without. */
    private static boolean isSame(String one, String other) {
        return one.equals(other) || one.startsWith(other + ".") || other.startsWith(one + ".");
    }

    private static boolean isOwnAddress(String name) {
        if (!ADDRESS.matcher(name).matches()) {
            return false;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(name);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException | IllegalArgumentException none) {
            return false;
        }
    }
}
