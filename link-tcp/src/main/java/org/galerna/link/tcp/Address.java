package org.galerna.link.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Where a rank can be reached: the identity and the name of its host, what protects it, then its sockets. Published as text, one of these
 * on a line.
 *
 * @param host tells hosts apart, and name spaces of one host whose networks are separate
 * @param hostName for messages
 * @param security what protects connections, see {@link Security#name}
 * @param sockets in the notation of the {@link Network}
 */
record Address(String host, String hostName, String security, List<String> sockets) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/net");

    /** The address of a rank of this process. */
    static Address here(List<String> sockets) {
        return new Address(identity(), name(), Security.NONE.name(), List.copyOf(sockets));
    }

    private static String identity() {
        try {
            return Files.readString(BOOT).strip() + " " + Files.readSymbolicLink(NAMESPACE);
        } catch (IOException | UnsupportedOperationException notLinux) {
            return name();
        }
    }

    private static String name() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException notLinux) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }

    /** This address with connections that are protected. */
    Address protectedBy(Security protection) {
        return new Address(host, hostName, protection.name(), sockets);
    }

    boolean isOnHostOf(Address other) {
        return host.equals(other.host);
    }

    byte[] encode() {
        return (host + "\n" + hostName + "\n" + security + "\n" + String.join("\n", sockets)).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Address decode(byte[] bytes) {
        List<String> lines = Arrays.asList(new String(bytes, UTF_8).split("\n", -1));
        if (lines.size() < 4) {
            throw new IllegalArgumentException("no address of a rank: " + lines.size() + " lines of text");
        }
        return new Address(lines.get(0), lines.get(1), lines.get(2), List.copyOf(lines.subList(3, lines.size())));
    }
}
