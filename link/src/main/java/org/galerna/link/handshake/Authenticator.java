package org.galerna.link.handshake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.galerna.memory.SystemRandom;

/**
 * Proofs of a key: HMAC-SHA-256 over what both sides have said, with fresh random bytes of both. A proof of one purpose and
 * role is worth nothing in another one. Any thread may call.
 */
public final class Authenticator {
    /** Length of a proof. */
    public static final int BYTES = Sha256.BYTES;

    /** Length of the random bytes of one side. */
    public static final int RANDOM_BYTES = 32;

    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final String purpose;
    // never used but to go on from
    private final Sha256 inner;
    private final Sha256 outer;

    /**
     * Proofs of one key.
     *
     * @param purpose what the conversation is about; empty where its first message says that
     * @param key that both sides know
     */
    public Authenticator(String purpose, byte[] key) {
        this.purpose = purpose;
        this.inner = keyed(key, INNER);
        this.outer = keyed(key, OUTER);
    }

    /** What each proof begins with, as RFC 2104 says. */
    private static Sha256 keyed(byte[] key, byte with) {
        byte[] known = key;
        if (key.length > Sha256.BLOCK) {
            Sha256 ofKey = new Sha256();
            ofKey.update(key);
            known = ofKey.digest();
        }
        byte[] block = Arrays.copyOf(known, Sha256.BLOCK);
        for (int at = 0; at < block.length; at++) {
            block[at] ^= with;
        }
        Sha256 begun = new Sha256();
        begun.update(block);
        return begun;
    }

    /** What only who knows the key can say in this role, after these parts of the conversation. */
    public byte[] of(String role, byte[]... parts) {
        Sha256 within = new Sha256(inner);
        String prefix = purpose.isEmpty() ? role : purpose + " " + role;
        within.update((prefix + "\0").getBytes(StandardCharsets.US_ASCII));
        for (byte[] part : parts) {
            within.update(part);
        }
        Sha256 whole = new Sha256(outer);
        whole.update(within.digest());
        return whole.digest();
    }

    /** Whether two proofs are the same; how long that takes does not tell where they differ. */
    public static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    /** Fresh random bytes, {@value #RANDOM_BYTES} of them. */
    public static byte[] random() {
        return SystemRandom.bytes(RANDOM_BYTES);
    }
}
