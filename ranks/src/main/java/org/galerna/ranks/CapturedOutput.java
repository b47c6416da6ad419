package org.galerna.ranks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps what ranks print, in lines that begin with their ranks. Any thread may write. */
final class CapturedOutput extends ByteArrayOutputStream {
    private static final Pattern LABELLED = Pattern.compile("\\[(\\d+)] (.*)");

    private final Charset charset = System.out.charset();

    /** The lines of each rank, in the order in which it has printed them. */
    List<List<String>> lines(int ranks) {
        List<List<String>> lines = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            lines.add(new ArrayList<>());
        }
        toString(charset)
                .lines()
                .map(LABELLED::matcher)
                .filter(Matcher::matches)
                .forEach(line -> lines.get(Integer.parseInt(line.group(1))).add(line.group(2)));
        return lines.stream().map(Collections::unmodifiableList).toList();
    }
}
