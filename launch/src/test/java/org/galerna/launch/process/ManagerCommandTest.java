package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.galerna.launch.BindTo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagerCommandTest {
    private static final List<String> RANK = List.of("java", "Main", "a b", "$c");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mpiexec | HYDRA build details      | mpiexec -n 3 -hosts a:2,b -wdir /w -prepend-rank -bind-to core
            mpirun  | mpirun (Open MPI) 4.1.4  | mpirun -n 3 --host a:2,b --wdir /w --tag-output --bind-to core
            mpirun  | prterun (PRRTE) 3.0.14   | mpirun -n 3 --host a:2,b --wdir /w --tag-output --bind-to core
            """)
    void speaksTheLanguageOfTheManager(String program, String version, String expected) {
        List<String> words = ManagerCommand.ofVersion(program, version)
                .words(3, HostList.parse("a:2,b"), Path.of("/w"), true, BindTo.CORE, RANK);
        assertThat(String.join(" ", words.subList(0, words.size() - RANK.size())))
                .isEqualTo(expected);
        assertThat(words.subList(words.size() - RANK.size(), words.size())).isEqualTo(RANK);
    }

    @Test
    void leavesToTheManagerWhatTheUserHasNotSaid() {
        assertThat(ManagerCommand.ofVersion("mpiexec", "HYDRA")
                        .words(2, List.of(), Path.of("/w"), false, BindTo.AUTO, RANK))
                .isEqualTo(List.of("mpiexec", "-n", "2", "-wdir", "/w", "java", "Main", "a b", "$c"));
    }

    @Test
    void namesAManagerThatIsNotThere() {
        assertThatThrownBy(() -> ManagerCommand.find("no-such-manager"))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("there is no no-such-manager on the path");
    }
}
