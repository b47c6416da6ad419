package org.galerna.cli.observe;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal of this process.
 *
 * @param rows its lines
 * @param columns its characters in a line
 */
record Terminal(int rows, int columns) {
    /** What every terminal has. */
    static final int WIDTH = 80;

    private static final int HEIGHT = 24;
    private static final int LEAST = 10;
    private static final Pattern SIZE = Pattern.compile("(\\d+) (\\d+)\\s*");

    /** As it is now. */
    static Terminal size() throws InterruptedException {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher size = SIZE.matcher(text);
            if (stty.waitFor() == 0 && size.matches()) {
                int rows = Integer.parseInt(size.group(1));
                int columns = Integer.parseInt(size.group(2));
                if (rows >= LEAST && columns >= LEAST) {
                    return new Terminal(rows, columns);
                }
            }
        } catch (IOException noStty) {
            // then it has what every terminal has
        }
        return new Terminal(HEIGHT, WIDTH);
    }

    /** Shows these lines from the top of the screen on, and nothing else. */
    void show(List<String> lines) {
        StringBuilder text = new StringBuilder("\u001b[H");
        lines.stream().limit(rows - 1L).forEach(line -> text.append(line).append("\u001b[K\n"));
        System.out.print(text.append("\u001b[J"));
        System.out.flush();
    }
}
