package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {
    @TempDir
    Path folder;

    private static String text(List<Host> hosts) {
        return hosts.stream()
                .map(host -> host.name()
                        + (host.slots().isPresent() ? "=" + host.slots().getAsInt() : ""))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a                   | a
            a:2,b:3             | a=2 b=3
            a, b                | a b
            a:2,b,a:1,b         | a=3 b=2
            ada@node-1.site:4   | ada@node-1.site=4
            10.0.0.1:2          | 10.0.0.1=2
            [fe80::1%eth0]:2    | fe80::1%eth0=2
            """)
    void readsWhatUsersWrite(String text, String expected) {
        assertThat(text(HostList.parse(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a,,b", "a:", "a:x", "a:-1", "a:99999999999", "-oProxyCommand=x", "a b", "a;b", "$(a)", "a:0"
            })
    void refusesWhatIsNoHostInOneSentenceThatNamesIt(String text) {
        assertThatThrownBy(() -> HostList.parse(text))
                .isInstanceOf(LaunchException.class)
                .hasMessageStartingWith("--hosts " + text)
                .message()
                .hasLineCount(1);
    }

    @Test
    void readsTheFilesOfMpichAndOfOpenMpi() throws Exception {
        Path file = Files.writeString(folder.resolve("hosts"), """
                # our cluster
                a:2
                b slots=3   # the large one
                c slots = 1 max_slots=4

                d
                """);
        assertThat(text(HostList.read(file))).isEqualTo("a=2 b=3 c=1 d");
    }

    @Test
    void saysWhichLineOfAFileIsWrong() throws Exception {
        Path file = Files.writeString(folder.resolve("hosts"), "a:2\nb sluts=3\n");
        assertThatThrownBy(() -> HostList.read(file)).hasMessageContainingAll(file.toString(), "line 2", "b sluts=3");
    }

    @Test
    void saysWhatIsWrongWithAFile() throws Exception {
        assertThatThrownBy(() -> HostList.read(folder.resolve("none"))).hasMessageContaining("there is no host file");
        Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n");
        assertThatThrownBy(() -> HostList.read(empty)).hasMessageContaining("is empty: write a line for each host");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF, 0, 1});
        assertThatThrownBy(() -> HostList.read(binary)).hasMessageContaining("not a text");
    }
}
