package org.galerna.launch.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PMI-1 servers that answer as others than the installed ones do, or as none should. */
class PmiServerTest {
    private static final List<String> GREETING = List.of(
            "cmd=initack rc=0",
            "cmd=set size=3",
            "cmd=set rank=2",
            "cmd=set debug=0",
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
            "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024",
            "cmd=my_kvsname kvsname=space_1");

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stopListening() throws IOException {
        server.close();
    }

    /** Sends the lines in this order, one for each that comes, and then closes. */
    private String answering(List<String> lines) {
        Thread.ofVirtual().start(() -> answer(lines));
        return "localhost:" + server.getLocalPort();
    }

    private void answer(List<String> lines) {
        try (Socket socket = server.accept();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line : lines) {
                if (!line.startsWith("cmd=set") && in.readLine() == null) {
                    return;
                }
                socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException testIsOver) {
            throw new UncheckedIOException(testIsOver);
        }
    }

    private Pmi1Manager manager(String... further) throws IOException {
        String address =
                answering(Stream.concat(GREETING.stream(), Stream.of(further)).toList());
        return Pmi1Manager.atPort(PmiConnection.toPort(address), "2");
    }

    @Test
    void theServerTellsWhoThisIs() throws Exception {
        Pmi1Manager manager = manager();
        assertThat(manager.rank()).isEqualTo(2);
        assertThat(manager.size()).isEqualTo(3);
        assertThat(manager.job()).isEqualTo("space_1");
    }

    /** As Hydra 5 does: a tag in each answer, and no message where there is nothing to say. */
    @Test
    @Fault(6)
    void fieldsThatNobodyKnowsAreIgnored() throws Exception {
        Pmi1Manager manager = manager(
                "cmd=put_result rc=0 tag=17", "tag=18 cmd=barrier_out rc=0", "cmd=get_result tag=19 rc=0 value=AQID");
        manager.put("key", new byte[] {1});
        manager.fence();
        assertThat(manager.get(0, "key")).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @Fault(6)
    @CsvSource(
            delimiter = '|',
            value = {
                "cmd=get_result rc=-1 msg=key_x_not_found value=unknown | get_result: key_x_not_found",
                "cmd=get_result rc=1                                    | get_result: return code 1",
                "cmd=get_result rc=0 msg=success                        | its answer get_result has no value",
                "cmd=get_result rc=0 value=a*b                          | a value is damaged",
                "cmd=barrier_out rc=0 value=c2VjcmV0                    | has answered \"barrier_out\" where get_result",
                "nonsense                                               | has answered \"\" where get_result"
            })
    void answersThatAreNoneAreRefused(String answer, String message) throws Exception {
        Pmi1Manager manager = manager(answer);
        assertThatThrownBy(() -> manager.get(0, "key"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .message()
                .as("values stay secret")
                .doesNotContain("c2VjcmV0");
    }

    @Test
    @Fault(17)
    void aServerThatIsGoneIsNoticed() throws Exception {
        Pmi1Manager manager = manager();
        assertThatThrownBy(manager::fence)
                .isInstanceOf(IOException.class)
                .hasMessageMatching("it has closed the connection|Connection reset|Broken pipe");
    }

    @ParameterizedTest
    @Fault(8)
    @ValueSource(strings = {"nowhere", ":5", "localhost:", "localhost:x"})
    void anAddressThatIsNoneIsNamed(String address) {
        assertThatThrownBy(() -> new Pmi1Wireup().detect(Map.of("PMI_PORT", address, "PMI_ID", "0")))
                .isInstanceOf(CommunicationException.class)
                .hasMessageContaining("PMI_PORT is \"" + address + "\", which is not host:port");
    }

    @Test
    @Fault(8)
    void aServerThatCannotBeReachedIsNamed() throws Exception {
        server.close();
        assertThatThrownBy(() -> new Pmi1Wireup()
                        .detect(Map.of("PMI_PORT", "localhost:" + server.getLocalPort(), "PMI_ID", "0")))
                .isInstanceOf(CommunicationException.class)
                .hasMessageContaining("cannot connect to localhost:" + server.getLocalPort());
    }
}
