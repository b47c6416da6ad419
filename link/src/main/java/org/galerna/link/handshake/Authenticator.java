package org.galerna.link.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.galerna.memory.SystemRandom;

/**
 * Proofs of a key: HMAC-SHA-256 over what both sides have said, with fresh random bytes of both. A proof of one purpose and
 * role is worth nothing in another one. Any thread may call.
 */
public final class Authenticator {
    /** Length of a proof. */
    public static final int BYTES = 32;

    /** Length of the random bytes of one side. */
    public static final int RANDOM_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final String purpose;
    private final Mac keyed; // never used but to be cloned, which looks for no provider and takes no key in

    /**
     * Proofs of one key.
     *
     * @param purpose what the conversation is about; empty where its first message says that
     * @param key that both sides know
     */
    public Authenticator(String purpose, byte[] key) {
        this.purpose = purpose;
        try {
            this.keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What only who knows the key can say in this role, after these parts of the conversation. */
    public byte[] of(String role, byte[]... parts) {
        try {
            Mac mac = (Mac) keyed.clone();
            String prefix = purpose.isEmpty() ? role : purpose + " " + role;
            mac.update((prefix + "\0").getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
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
