package org.galerna.launch.council;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proofs of two processes for each other that they know the job's key: HMAC-SHA-256 over the random bytes of both. */
final class Proofs {
    /** Random bytes of each side. */
    static final int RANDOM_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Proofs() {}

    static byte[] random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /**
     * A proof.
     *
     * @param side what the process does that proves something
     * @param caller rank of the process that has opened the connection
     */
    static byte[] of(byte[] key, String side, int caller, byte[] ofCaller, byte[] ofOther) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(("galerna council " + side + "\0").getBytes(US_ASCII));
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(caller).array());
            mac.update(ofCaller);
            return mac.doFinal(ofOther);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has " + ALGORITHM, impossible);
        }
    }

    static boolean areEqual(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
