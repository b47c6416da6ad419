package org.galerna.link.handshake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.galerna.memory.SystemRandom;

/**
 * Proofs of a key: HMAC-SHA-256 over what both sides have said, with fresh random bytes of both. A proof of one purpose and
 * role is worth nothing in another one. Any thread may call.
 *
 * <p>The hash is the platform's. What makes an HMAC of it (RFC 2104) is here, because the platform's {@code Mac} takes 50 ms and more of
 * processor time to begin with, in each process that opens a connection: it reads its list of permitted ciphers first.
 */
public final class Authenticator {
    /** Length of a proof. */
    public static final int BYTES = 32;

    /** Length of the random bytes of one side. */
    public static final int RANDOM_BYTES = 32;

    private static final String ALGORITHM = "SHA-256";

    /** Of the hash, in bytes; a key is filled up with zeros to that length. */
    private static final int BLOCK = 64;

    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final String purpose;
    private final byte[] innerKey;
    private final byte[] outerKey;

    /**
     * Proofs of one key.
     *
     * @param purpose what the conversation is about; empty where its first message says that
     * @param key that both sides know, of any length
     */
    public Authenticator(String purpose, byte[] key) {
        this.purpose = purpose;
        byte[] block = Arrays.copyOf(key.length > BLOCK ? hash().digest(key) : key, BLOCK);
        this.innerKey = mix(block, INNER);
        this.outerKey = mix(block, OUTER);
    }

    private static byte[] mix(byte[] block, byte pad) {
        byte[] mixed = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            mixed[i] = (byte) (block[i] ^ pad);
        }
        return mixed;
    }

    private static MessageDigest hash() {
        try {
            return MessageDigest.getInstance(ALGORITHM);
        } catch (NoSuchAlgorithmException impossible) { // each platform has it
            throw new IllegalStateException(impossible);
        }
    }

    /** What only who knows the key can say in this role, after these parts of the conversation. */
    public byte[] of(String role, byte[]... parts) {
        MessageDigest inner = hash();
        inner.update(innerKey);
        String prefix = purpose.isEmpty() ? role : purpose + " " + role;
        inner.update((prefix + "\0").getBytes(StandardCharsets.US_ASCII));
        for (byte[] part : parts) {
            inner.update(part);
        }
        MessageDigest outer = hash();
        outer.update(outerKey);
        return outer.digest(inner.digest());
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
