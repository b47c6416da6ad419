package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.galerna.testkit.pages.PageBlock;
import org.galerna.testkit.pages.PageCommand;
import org.galerna.testkit.pages.Pages;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Commands that pages show exist, with their options. */
class CommandsOfPagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NAMES = Set.of("galerna", "./galerna");
    private static final Pattern COMMAND_OF_HELP = Pattern.compile("(?m)^  ([a-z-]+) {2,}\\S");

    @Test
    void commandLinesOnPagesAreUnderstood() {
        Set<String> ofScript = COMMAND_OF_HELP
                .matcher(Help.text())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        List<PageCommand> commands = Pages.of(ROOT).stream()
                .flatMap(page -> Pages.blocks(page).stream())
                .filter(PageBlock::isCommands)
                .flatMap(block -> block.commands().stream())
                .filter(command -> NAMES.contains(command.words().getFirst()))
                .toList();
        assertThat(commands).hasSizeGreaterThan(30);
        List<String> wrong = commands.stream()
                .flatMap(command -> problem(command, ofScript).stream())
                .toList();
        assertThat(wrong).isEmpty();
    }

    private static Optional<String> problem(PageCommand command, Set<String> ofScript) {
        String[] words = command.words().stream().skip(1).toArray(String[]::new);
        CommandLine line = Main.commandLine(words);
        boolean known = words[0].equals("run") || line.getSubcommands().containsKey(words[0]);
        if (!known && ofScript.contains(words[0])) {
            return Optional.empty();
        }
        try {
            line.parseArgs(Main.words(words));
            return Optional.empty();
        } catch (ParameterException wrong) {
            return Optional.of(command.place() + ": " + command.text() + ": " + wrong.getMessage());
        }
    }
}
