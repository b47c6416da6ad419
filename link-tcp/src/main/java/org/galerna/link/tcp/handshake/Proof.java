package org.galerna.link.tcp.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that their maker knows the job's key: HMAC-SHA256 over the role of the maker, the whole greeting, with the
 * ranks, the purpose and the initiator's random bytes, the acceptor's random bytes, and what is known at the two ends of
 * this connection only, if it is protected. A proof is worth nothing in the other role, to another rank or in another
 * handshake; under TLS also not to somebody in the middle.
 */
public final class Proof {
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    public Proof(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** Bytes that were never used before. */
    public static byte[] random() {
        byte[] bytes = new byte[Hello.RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    public byte[] of(String role, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(role.getBytes(US_ASCII));
            mac.update((byte) 0);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) { // every Java platform has it
            throw new IllegalStateException(ALGORITHM + " is missing", impossible);
        }
    }

    /** Compares in a time that tells nothing. */
    static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
