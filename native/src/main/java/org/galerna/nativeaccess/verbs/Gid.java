package org.galerna.nativeaccess.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A global address of a port.
 *
 * @param index place in the port's table
 * @param bytes the address, 16 bytes
 * @param type as in {@code enum ibv_gid_type}
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Gid(int index, byte[] bytes, int type) {
    private static final int ROCE_2 = 2;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** Whether it is routable over IP: RoCE version 2. */
    public boolean isRoutable() {
        return type == ROCE_2;
    }

    /** The IPv4 address that it stands for; empty if it stands for none. */
    public Optional<InetAddress> ipv4() {
        if (!Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED.length, bytes.length)));
        } catch (UnknownHostException impossible) { // four bytes are an address
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether the table has nothing at this place. */
    public boolean isEmpty() {
        for (byte each : bytes) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return ipv4().map(InetAddress::getHostAddress)
                .orElseGet(() -> HexFormat.of().formatHex(bytes).replaceAll("(....)(?!$)", "$1:"));
    }
}
