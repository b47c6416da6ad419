package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.Base64;

/** Bytes as text that PMI carries: without blanks, semicolons and equals signs. */
final class PmiValue {
    private PmiValue() {}

    static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static byte[] decode(String text) throws IOException {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException notEncoded) {
            throw new IOException("a value is damaged: " + notEncoded.getMessage(), notEncoded);
        }
    }
}
