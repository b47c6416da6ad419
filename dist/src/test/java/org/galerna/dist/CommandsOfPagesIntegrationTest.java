package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.dist.PageFolder.Run;
import org.galerna.testkit.pages.PageBlock;
import org.galerna.testkit.pages.PageCommand;
import org.galerna.testkit.pages.Pages;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of each page work, one after the other, in a folder that has what the page has told to save. */
@Tag("slow")
class CommandsOfPagesIntegrationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static Stream<Path> pages() {
        return Pages.of(ROOT).stream()
                .filter(page -> !page.getParent().endsWith("notes")) // what was measured once
                .filter(page -> Pages.blocks(page).stream()
                        .filter(PageBlock::isCommands)
                        .flatMap(block -> block.commands().stream())
                        .anyMatch(PageCommand::canRunHere))
                .map(ROOT::relativize);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commandsOfPageWork(Path page, @TempDir Path folder) throws IOException, InterruptedException {
        PageFolder here = new PageFolder(folder);
        List<String> failed = new ArrayList<>();
        for (PageBlock block : Pages.blocks(ROOT.resolve(page))) {
            if (block.isJava()) {
                here.save(block);
            } else if (block.isCommands()) {
                for (PageCommand command : block.commands()) {
                    if (command.canRunHere()) {
                        Run run = here.run(command);
                        if (run.status() != 0) {
                            failed.add(command.place() + ": " + command.text() + " ended with " + run.status() + "\n"
                                    + run.out() + run.err());
                        }
                    }
                }
            }
        }
        assertThat(failed).isEmpty();
    }
}
