package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.galerna.nativeaccess.call.ByteOrders;

/**
 * Addresses as the system takes them.
 *
 * {@snippet lang=c :
 * struct sockaddr_in  { uint16_t family; uint16_t port; uint32_t address; char zero[8]; };            // 16 bytes
 * struct sockaddr_in6 { uint16_t family; uint16_t port; uint32_t flow; uint8_t address[16]; uint32_t scope; };  // 28
 * }
 */
final class SocketAddressLayout {
    private static final short IPV4 = 2;
    private static final short IPV6 = 10;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV6_SCOPE = 24;
    private static final int BYTES = 32;

    private SocketAddressLayout() {}

    static MemorySegment encode(Arena arena, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        MemorySegment structure = arena.allocate(BYTES, 8);
        structure.set(JAVA_SHORT, PORT, ByteOrders.network((short) address.getPort()));
        if (address.getAddress() instanceof Inet6Address sixth) {
            structure.set(JAVA_SHORT, 0, IPV6);
            MemorySegment.copy(bytes, 0, structure, JAVA_BYTE, IPV6_ADDRESS, bytes.length);
            structure.set(JAVA_INT, IPV6_SCOPE, sixth.getScopeId());
        } else {
            structure.set(JAVA_SHORT, 0, IPV4);
            MemorySegment.copy(bytes, 0, structure, JAVA_BYTE, IPV4_ADDRESS, bytes.length);
        }
        return structure;
    }
}
