package org.galerna.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of {@code galerna help}, which the start script prints too. */
final class Help {
    private static final Pattern COMMAND = Pattern.compile("^ {2}([a-z][a-z-]*) ", Pattern.MULTILINE);

    private Help() {}

    static String text() {
        try (InputStream text = Help.class.getResourceAsStream("help.txt")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The commands that the text lists. */
    static List<String> commands() {
        List<String> commands = new ArrayList<>();
        Matcher matcher = COMMAND.matcher(text());
        while (matcher.find()) {
            commands.add(matcher.group(1));
        }
        return commands;
    }
}
