package org.galerna.testkit.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PagesTest {
    private static final List<String> PAGE = """
            Text before.

                ./galerna run -n 4 \\
                    -cp "a b:$(./galerna classpath)" Main   # and a comment

            * an item
                that goes on

            <!-- with: int n = 1; -->
            ```java
            int m = n;
            ```

            ```sh
            # only a comment
            ./galerna run --hosts node1,node2 Main
            ./galerna tune   # takes an hour
            ```

            ```
              a picture ── of something
            ```
            """.lines().toList();

    private final List<PageBlock> blocks = Pages.blocks("page.md", PAGE);

    @Test
    void indentedAndFencedBlocksAreFound() {
        assertThat(blocks).extracting(PageBlock::language).containsExactly("", "java", "sh", "");
        assertThat(blocks).extracting(PageBlock::isCommands).containsExactly(true, false, true, false);
        assertThat(blocks).extracting(PageBlock::place).first().isEqualTo("page.md:3");
        assertThat(blocks.get(1).context()).isEqualTo("int n = 1;");
        assertThat(blocks.get(1).text()).isEqualTo("int m = n;\n");
        assertThat(blocks.get(2).context()).isEmpty();
    }

    @Test
    void wordsAreThoseOfAShell() {
        assertThat(blocks.getFirst().commands())
                .singleElement()
                .extracting(PageCommand::words)
                .isEqualTo(List.of("./galerna", "run", "-n", "4", "-cp", "a b:$(./galerna classpath)", "Main"));
        assertThat(new PageCommand("", "x 'a;b' --c=\"d e\" f#g # h").words())
                .containsExactly("x", "a;b", "--c=d e", "f#g");
    }

    @Test
    void commandsForElsewhereAreMarkedVisibly() {
        assertThat(blocks.get(2).commands())
                .hasSize(2)
                .extracting(PageCommand::canRunHere)
                .containsExactly(false, false);
        assertThat(blocks.getFirst().commands().getFirst().canRunHere()).isTrue();
        assertThat(new PageCommand("", "sbatch job # needs Slurm").canRunHere()).isFalse();
    }
}
