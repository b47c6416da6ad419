package org.galerna.messaging.serialization;

/** UTF-8 without an array in between; the bytes are those of {@link String#getBytes}. */
final class Utf8 {
    private Utf8() {}

    /** Bytes of a string. */
    static int length(String value) {
        int chars = value.length();
        int bytes = chars;
        for (int each = 0; each < chars; each++) {
            char unit = value.charAt(each);
            if (unit < 0x80) {
                continue;
            }
            if (unit < 0x800) {
                bytes = Math.addExact(bytes, 1);
            } else if (!Character.isSurrogate(unit)) {
                bytes = Math.addExact(bytes, 2);
            } else if (isPair(value, each)) {
                bytes = Math.addExact(bytes, 2); // two units, four bytes
                each++;
            }
        }
        return bytes;
    }

    static void write(String value, Exporter out) {
        int chars = value.length();
        for (int each = 0; each < chars; each++) {
            char unit = value.charAt(each);
            if (unit < 0x80) {
                out.writeByte((byte) unit);
            } else if (unit < 0x800) {
                out.writeByte((byte) (0xc0 | (unit >> 6)));
                out.writeByte(following(unit));
            } else if (!Character.isSurrogate(unit)) {
                out.writeByte((byte) (0xe0 | (unit >> 12)));
                out.writeByte(following(unit >> 6));
                out.writeByte(following(unit));
            } else if (isPair(value, each)) {
                int point = value.codePointAt(each);
                out.writeByte((byte) (0xf0 | (point >> 18)));
                out.writeByte(following(point >> 12));
                out.writeByte(following(point >> 6));
                out.writeByte(following(point));
                each++;
            } else {
                out.writeByte((byte) '?');
            }
        }
    }

    private static byte following(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }

    private static boolean isPair(String value, int high) {
        return Character.isHighSurrogate(value.charAt(high))
                && high + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(high + 1));
    }
}
