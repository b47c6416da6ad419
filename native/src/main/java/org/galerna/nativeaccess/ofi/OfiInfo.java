package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** What the library knows of one way to communicate, and of the next ones: {@code struct fi_info}. */
final class OfiInfo implements AutoCloseable {
    /** No way at all. */
    static final OfiInfo NONE = new OfiInfo(null, 0);

    private static final int IP4_FAMILY = 2;
    private static final int IP6_FAMILY = 10;
    private static final int IP4_BYTES = 4;
    private static final int IP4_AT = 4;
    private static final int IP6_BYTES = 16;
    private static final int IP6_AT = 8;

    private final @Nullable OfiLibrary owner; // of the first of a list
    private final long address;

    OfiInfo(@Nullable OfiLibrary owner, long address) {
        this.owner = owner;
        this.address = address;
    }

    /** What is wanted of a way to communicate: messages and remote memory access between any two, without connections. */
    static MemorySegment hints(Arena arena) {
        MemorySegment hints = arena.allocate(OfiLayout.ROOM, 8);
        hints.set(JAVA_LONG, OfiLayout.INFO_CAPS, 1L << OfiLayout.BIT_MESSAGES | 1L << OfiLayout.BIT_RMA);
        hints.set(JAVA_LONG, OfiLayout.INFO_MODE, 1L << OfiLayout.BIT_MODE_CONTEXT | 1L << OfiLayout.BIT_MODE_CONTEXT2);
        for (int part : new int[] {OfiLayout.INFO_TX, OfiLayout.INFO_RX}) {
            hints.set(JAVA_LONG, part, arena.allocate(OfiLayout.ROOM, 8).address());
        }
        MemorySegment endpoint = arena.allocate(OfiLayout.ROOM, 8);
        endpoint.set(JAVA_INT, OfiLayout.EP_TYPE, OfiLayout.EP_TYPE_RELIABLE_DATAGRAM);
        hints.set(JAVA_LONG, OfiLayout.INFO_EP, endpoint.address());
        MemorySegment domain = arena.allocate(OfiLayout.ROOM, 8);
        domain.set(JAVA_INT, OfiLayout.DOMAIN_THREADING, OfiLayout.THREADING_SERIALIZED);
        domain.set(JAVA_INT, OfiLayout.DOMAIN_RESOURCES, OfiLayout.RESOURCES_MANAGED);
        domain.set(
                JAVA_INT,
                OfiLayout.DOMAIN_MR_MODE,
                OfiLayout.MR_MODE_LOCAL
                        | OfiLayout.MR_MODE_VIRTUAL
                        | OfiLayout.MR_MODE_ALLOCATED
                        | OfiLayout.MR_MODE_PROVIDER_KEY
                        | OfiLayout.MR_MODE_ENDPOINT);
        hints.set(JAVA_LONG, OfiLayout.INFO_DOMAIN, domain.address());
        MemorySegment fabric = arena.allocate(OfiLayout.ROOM, 8);
        hints.set(JAVA_LONG, OfiLayout.INFO_FABRIC, fabric.address());
        return hints;
    }

    /** As {@link #hints(Arena)}, of one provider alone. */
    static MemorySegment hints(Arena arena, OfiProvider provider) {
        MemorySegment hints = hints(arena);
        set(hints, OfiLayout.INFO_DOMAIN, OfiLayout.DOMAIN_NAME, arena.allocateFrom(provider.domain()));
        set(hints, OfiLayout.INFO_FABRIC, OfiLayout.FABRIC_NAME, arena.allocateFrom(provider.fabric()));
        set(hints, OfiLayout.INFO_FABRIC, OfiLayout.FABRIC_PROVIDER, arena.allocateFrom(provider.name()));
        return hints;
    }

    private static void set(MemorySegment hints, int part, int field, MemorySegment value) {
        structure(hints.get(JAVA_LONG, part)).set(JAVA_LONG, field, value.address());
    }

    @SuppressWarnings("restricted") // structures of the library, or of this class
    private static MemorySegment structure(long at) {
        return MemorySegment.ofAddress(at).reinterpret(OfiLayout.ROOM);
    }

    @SuppressWarnings("restricted") // the text is the library's own
    private static String text(long at) {
        return at == 0
                ? ""
                : MemorySegment.ofAddress(at).reinterpret(Long.MAX_VALUE).getString(0);
    }

    long address() {
        return address;
    }

    boolean exists() {
        return address != 0;
    }

    /** The next way; null if there is none. */
    @Nullable
    OfiInfo next() {
        long next = address == 0 ? 0 : number(OfiLayout.INFO_NEXT);
        return next == 0 ? null : new OfiInfo(null, next);
    }

    /** A number of the structure itself. */
    long number(int field) {
        return structure(address).get(JAVA_LONG, field);
    }

    /** A number of one of its parts. */
    long number(int part, int field) {
        return structure(number(part)).get(JAVA_LONG, field);
    }

    /** As {@link #number(int, int)}, of half the size. */
    int half(int part, int field) {
        return structure(number(part)).get(JAVA_INT, field);
    }

    OfiProvider provider() {
        return new OfiProvider(
                text(number(OfiLayout.INFO_FABRIC, OfiLayout.FABRIC_PROVIDER)),
                text(number(OfiLayout.INFO_FABRIC, OfiLayout.FABRIC_NAME)),
                text(number(OfiLayout.INFO_DOMAIN, OfiLayout.DOMAIN_NAME)),
                source());
    }

    private String source() {
        int format = structure(address).get(JAVA_INT, OfiLayout.INFO_ADDRESS_FORMAT);
        long at = number(OfiLayout.INFO_SOURCE);
        if (at == 0 || format < OfiLayout.ADDRESS_IP || format > OfiLayout.ADDRESS_IP6) {
            return "";
        }
        MemorySegment socket = structure(at);
        int family = socket.get(JAVA_SHORT, 0);
        if (family != IP4_FAMILY && family != IP6_FAMILY) {
            return "";
        }
        byte[] bytes = (family == IP4_FAMILY ? socket.asSlice(IP4_AT, IP4_BYTES) : socket.asSlice(IP6_AT, IP6_BYTES))
                .toArray(JAVA_BYTE);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException impossible) {
            return "";
        }
    }

    @Override
    public void close() {
        if (owner != null) {
            owner.free(address);
        }
    }
}
