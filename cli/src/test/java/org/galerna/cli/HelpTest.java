package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelpTest {
    @Test
    void theTextListsEveryCommandThatThereIs() {
        List<String> commands = new ArrayList<>(Main.all().getSubcommands().keySet());
        commands.add("help");
        assertThat(Help.commands()).containsExactlyInAnyOrderElementsOf(commands);
    }

    @Test
    void everyCommandSaysMoreAboutItself() {
        for (String command : Main.all().getSubcommands().keySet()) {
            Galerna.Ended ended = Galerna.refused("help", command);
            assertThat(ended.status()).isZero();
            assertThat(ended.output()).contains("Usage: galerna " + command);
        }
    }

    @Test
    void helpIsTheTextHoweverItIsAskedFor() {
        for (String word : List.of("help", "--help", "-h")) {
            assertThat(Galerna.refused(word).output()).isEqualTo(Help.text());
        }
        assertThat(Galerna.refused().output()).isEqualTo(Help.text());
    }
}
