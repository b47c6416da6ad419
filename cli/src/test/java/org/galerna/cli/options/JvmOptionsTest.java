package org.galerna.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmOptionsTest {
    private static String mark(String line) {
        return String.join(" ", JvmOptions.mark("--jvm", line.split(" ")));
    }

    @Test
    void marksTheVirtualMachinesOptionsBeforeTheMainClass() {
        assertThat(mark("run -n 4 -Xmx1g -Dx=y -ea Main -Xmx2g"))
                .isEqualTo("run -n 4 --jvm=-Xmx1g --jvm=-Dx=y --jvm=-ea Main -Xmx2g");
    }

    @Test
    void joinsAnOptionWithTheWordThatIsItsValue() {
        assertThat(mark("run --add-modules java.sql -cp . Main"))
                .isEqualTo("run --jvm=--add-modules=java.sql -cp . Main");
    }

    @Test
    void doesNotMistakeTheValueOfAnOptionForTheMainClass() {
        assertThat(mark("run -cp -Xodd -Xmx1g Main")).isEqualTo("run -cp -Xodd --jvm=-Xmx1g Main");
    }

    @Test
    void leavesWhatFollowsAJarToTheProgram() {
        assertThat(mark("run -Xmx1g -jar app.jar -Xmx2g --help"))
                .isEqualTo("run --jvm=-Xmx1g -jar app.jar -- -Xmx2g --help");
    }

    @Test
    void leavesWhatFollowsAModuleToTheProgram() {
        assertThat(mark("run -p mods --add-reads a=b -m a/b.C -Xmx2g -n"))
                .isEqualTo("run -p mods --jvm=--add-reads=a=b -m a/b.C -- -Xmx2g -n");
        assertThat(mark("run --module-path=mods --module=a/b.C -Xmx2g"))
                .isEqualTo("run --module-path=mods --module=a/b.C -- -Xmx2g");
    }
}
