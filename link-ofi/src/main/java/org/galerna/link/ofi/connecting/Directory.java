package org.galerna.link.ofi.connecting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.OfiOptions;

/** What the ranks have published: the name of the provider, a zero, and the address that it has given. */
public final class Directory {
    private static final String KEY = "address";

    private final Wireup wireup;
    private final String provider;

    private Directory(Wireup wireup, String provider) {
        this.wireup = wireup;
        this.provider = provider;
    }

    public static Directory publish(Wireup wireup, String provider, byte[] address) {
        byte[] name = provider.getBytes(UTF_8);
        byte[] value = Arrays.copyOf(name, name.length + 1 + address.length);
        System.arraycopy(address, 0, value, name.length + 1, address.length);
        wireup.put(KEY, value);
        return new Directory(wireup, provider);
    }

    /**
     * The address of a peer. May wait for the wire-up.
     *
     * @throws CommunicationException if it has published none, or one of another provider
     */
    public byte[] address(int peer) {
        byte[] value = wireup.get(peer, KEY);
        int end = end(value);
        String theirs = new String(value, 0, end, UTF_8);
        if (!theirs.equals(provider) || end == value.length) {
            throw new CommunicationException("rank " + peer + " uses libfabric's provider " + theirs + " and this rank "
                    + provider + "; set " + OfiOptions.PREFIX + "provider to one that all have");
        }
        return Arrays.copyOfRange(value, end + 1, value.length);
    }

    private static int end(byte[] value) {
        int end = 0;
        while (end < value.length && value[end] != 0) {
            end++;
        }
        return end;
    }

    /** Why a peer cannot be reached; empty if it may be. */
    public Optional<String> unreachable(int peer) {
        try {
            byte[] unused = address(peer);
            return Optional.empty();
        } catch (CommunicationException reason) {
            return Optional.of("rank " + peer + " cannot be reached by libfabric: " + reason.getMessage());
        }
    }
}
