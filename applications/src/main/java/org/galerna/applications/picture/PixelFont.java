package org.galerna.applications.picture;

import java.util.HashMap;
import java.util.Map;

/** The few characters that legends need, five by seven pixels each. */
final class PixelFont {
    static final int WIDTH = 5;
    static final int HEIGHT = 7;
    private static final int ADVANCE = WIDTH + 1;

    /** Per character the rows from top to bottom, two hexadecimal digits each, the leftmost pixel in bit 4. */
    private static final Map<Character, String> GLYPHS = new HashMap<>();

    static {
        GLYPHS.put(' ', "00000000000000");
        GLYPHS.put('0', "0E11131519110E");
        GLYPHS.put('1', "040C040404040E");
        GLYPHS.put('2', "0E11010204081F");
        GLYPHS.put('3', "1F02040201110E");
        GLYPHS.put('4', "02060A121F0202");
        GLYPHS.put('5', "1F101E0101110E");
        GLYPHS.put('6', "0608101E11110E");
        GLYPHS.put('7', "1F010204080808");
        GLYPHS.put('8', "0E11110E11110E");
        GLYPHS.put('9', "0E11110F01020C");
        GLYPHS.put('.', "00000000000C0C");
        GLYPHS.put('-', "0000001F000000");
        GLYPHS.put('+', "0004041F040400");
        GLYPHS.put('=', "00001F001F0000");
        GLYPHS.put('/', "00010204081000");
        GLYPHS.put('E', "1F10101E10101F");
        GLYPHS.put('V', "11111111110A04");
        GLYPHS.put('e', "00000E111F100E");
        GLYPHS.put('f', "0609081C080808");
        GLYPHS.put('k', "10101214181412");
        GLYPHS.put('m', "00001A15151111");
        GLYPHS.put('n', "00001619111111");
        GLYPHS.put('p', "00001E111E1010");
        GLYPHS.put('s', "00000E100E011E");
        GLYPHS.put('t', "08081C08080906");
        GLYPHS.put('z', "00001F0204081F");
        GLYPHS.put('c', "00000E1010110E");
        GLYPHS.put('o', "00000E1111110E");
        GLYPHS.put('r', "00001619101010");
        GLYPHS.put('u', "0000111111130D");
        GLYPHS.put('M', "111B1515111111");
        GLYPHS.put('a', "00000E010F110F");
        GLYPHS.put('h', "10101619111111");
        GLYPHS.put('x', "0000110A040A11");
        GLYPHS.put('\u00b5', "00111111131D10");
    }

    private PixelFont() {}

    /** Pixels that a text takes at a magnification. */
    static int width(String text, int magnification) {
        return text.isEmpty() ? 0 : (text.length() * ADVANCE - 1) * magnification;
    }

    /**
     * Draws a text with its top left corner at a place; pixels outside the canvas are left out.
     *
     * @throws IllegalArgumentException if there is no glyph for a character
     */
    static void draw(IndexedCanvas canvas, String text, int x, int y, int magnification, int colour) {
        int left = x;
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            String rows = GLYPHS.get(character);
            if (rows == null) {
                throw new IllegalArgumentException("no glyph for '" + character + "' in \"" + text + "\"");
            }
            for (int row = 0; row < HEIGHT; row++) {
                int bits = Integer.parseInt(rows, 2 * row, 2 * row + 2, 16);
                for (int column = 0; column < WIDTH; column++) {
                    if ((bits & (0x10 >> column)) != 0) {
                        canvas.fill(
                                left + column * magnification,
                                y + row * magnification,
                                magnification,
                                magnification,
                                colour);
                    }
                }
            }
            left += ADVANCE * magnification;
        }
    }
}
