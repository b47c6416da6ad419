package org.galerna.link.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The platform's own digests say what is right. */
class AuthenticatorTest {
    private static final int LONGEST = 300; // several blocks

    private final Random random = new Random(7);

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void digestsOfEveryLengthAreThePlatforms() throws GeneralSecurityException {
        MessageDigest platform = MessageDigest.getInstance("SHA-256");
        for (int length = 0; length <= LONGEST; length++) {
            byte[] bytes = bytes(length);
            Sha256 whole = new Sha256();
            whole.update(bytes);
            assertThat(whole.digest()).as("%d bytes", length).isEqualTo(platform.digest(bytes));
        }
    }

    @Test
    void aDigestInPartsThatGoesOnTwiceIsThePlatforms() throws GeneralSecurityException {
        MessageDigest platform = MessageDigest.getInstance("SHA-256");
        for (int length = 0; length <= LONGEST; length += 7) {
            byte[] first = bytes(length);
            byte[] second = bytes(random.nextInt(LONGEST));
            Sha256 begun = new Sha256();
            begun.update(first);
            for (int twice = 0; twice < 2; twice++) {
                Sha256 other = new Sha256(begun);
                other.update(second);
                platform.update(first);
                assertThat(other.digest()).isEqualTo(platform.digest(second));
            }
        }
    }

    @Test
    void proofsAreHmacsWithKeysOfEveryLength() throws GeneralSecurityException {
        for (int length = 1; length <= LONGEST; length++) {
            byte[] key = bytes(length);
            byte[] one = bytes(length);
            byte[] other = bytes(LONGEST - length);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update("purpose role\0".getBytes(StandardCharsets.US_ASCII));
            mac.update(one);
            mac.update(other);
            assertThat(new Authenticator("purpose", key).of("role", one, other))
                    .as("a key of %d bytes", length)
                    .isEqualTo(mac.doFinal());
        }
    }

    @Test
    void randomBytesAreOthersEachTime() {
        assertThat(Authenticator.random()).hasSize(Authenticator.RANDOM_BYTES).isNotEqualTo(Authenticator.random());
    }
}
