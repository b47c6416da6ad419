package org.galerna.link.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
    private static final String ALGORITHM = "HmacSHA256";

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 32, 63, 64, 65, 131, 1000})
    void provesByTheHmacThatThePlatformHasToo(int keyBytes) throws GeneralSecurityException {
        byte[] key = bytes(keyBytes, 129);
        byte[] one = bytes(32, 5);
        byte[] other = bytes(300, 77);
        Mac expected = Mac.getInstance(ALGORITHM);
        expected.init(new SecretKeySpec(key, ALGORITHM));
        expected.update("purpose caller\0".getBytes(StandardCharsets.US_ASCII));
        expected.update(one);
        expected.update(other);

        assertThat(new Authenticator("purpose", key).of("caller", one, other)).isEqualTo(expected.doFinal());
    }

    @Test
    void aKeyMayChangeOnceItIsTaken() {
        byte[] key = bytes(32, 1);
        Authenticator taken = new Authenticator("", key);
        byte[] before = taken.of("role");
        key[0]++;

        assertThat(taken.of("role")).isEqualTo(before);
        assertThat(new Authenticator("", key).of("role")).isNotEqualTo(before);
    }

    private static byte[] bytes(int length, int first) {
        byte[] made = new byte[length];
        for (int i = 0; i < length; i++) {
            made[i] = (byte) (31 * i + first);
        }
        return made;
    }
}
