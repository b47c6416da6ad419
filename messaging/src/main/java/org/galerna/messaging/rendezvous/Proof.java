package org.galerna.messaging.rendezvous;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proofs of the cluster's key: HMAC-SHA-256 over what both sides have said, with fresh random bytes of both. */
final class Proof {
    static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Proof() {}

    static byte[] of(byte[] key, String role, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(("galerna messaging " + role + "\0").getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    static byte[] random() {
        byte[] bytes = new byte[Greeting.RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
