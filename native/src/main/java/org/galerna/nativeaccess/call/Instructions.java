package org.galerna.nativeaccess.call;

import java.util.HexFormat;

/** The processor's own instructions, as they are written in a listing. */
public final class Instructions {
    private Instructions() {}

    /**
     * The bytes of instructions.
     *
     * @param listing one in each line: the bytes in hexadecimal, a blank, and what they mean
     */
    public static byte[] assemble(String listing) {
        StringBuilder digits = new StringBuilder();
        listing.lines().forEach(line -> digits.append(line, 0, line.indexOf(' ')));
        return HexFormat.of().parseHex(digits);
    }
}
