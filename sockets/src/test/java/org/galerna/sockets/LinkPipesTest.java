package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over the link that every machine has, which nobody would want for this, but which does what the others do. */
class LinkPipesTest extends LinkPipes {
    private static final String NETWORK = "tcp";
    private static final Duration LONGEST = Duration.ofSeconds(60);

    LinkPipesTest() {
        super(NETWORK, "127.0.0.1", LONGEST);
    }

    @Test
    @Tag("slow")
    void socketsBehaveAsThoseOfThePlatform() throws Exception {
        String options = agentOptions("key").replace("after=2", "after=0");
        try (ChildProcess platform = AgentJar.startPlain(BehaviourProgram.class);
                ChildProcess fast = AgentJar.start(BehaviourProgram.class, options, "fast")) {
            List<String> expected = lines(platform);
            assertThat(expected).hasSizeGreaterThan(45);
            assertThat(lines(fast)).isEqualTo(expected);
            assertThat(fast.err()).contains("goes through " + NETWORK);
        }
    }

    @Test
    @Tag("slow") // over shared memory both are in the fast tier
    void channelsBehaveAsThoseOfThePlatform() throws Exception {
        String options = agentOptions("key").replace("after=2", "after=0");
        try (ChildProcess platform = AgentJar.startPlain(ChannelProgram.class);
                ChildProcess fast = AgentJar.start(ChannelProgram.class, options, "fast")) {
            List<String> expected = lines(platform);
            assertThat(expected).hasSizeGreaterThan(30);
            assertThat(lines(fast)).isEqualTo(expected);
            assertThat(fast.err()).contains("goes through " + NETWORK);
        }
    }

    @Test
    @Override
    @Tag("slow")
    void whoHasAnotherKeyStaysPlain() throws Exception {
        super.whoHasAnotherKeyStaysPlain();
    }

    @Test
    @Override
    @Tag("slow")
    void aServerWithoutTheAgentGetsTheBytesOfItsClientAlone() throws Exception {
        super.aServerWithoutTheAgentGetsTheBytesOfItsClientAlone();
    }

    @Test
    @Override
    @Tag("slow") // over adapters they are not
    void aServerIsToldOfClientsThatAreKilled() throws Exception {
        super.aServerIsToldOfClientsThatAreKilled();
    }

    @Test
    @Override
    @Tag("slow")
    void whatAProgramHasWrittenBeforeItEndsArrives() throws Exception {
        super.whatAProgramHasWrittenBeforeItEndsArrives();
    }

    @Tag("slow")
    @Test
    void aLinkThatDoesNotWorkIsNamedAndTheNextOneTaken() throws Exception {
        String options = agentOptions("key").replace("pipes=", "pipes=" + BrokenLinkProvider.NAME + "+");
        try (ChildProcess server = AgentJar.start(Stream.class, options, "echo", "0");
                ChildProcess client = client(server, options)) {
            assertThat(client.awaitExit(LONGEST)).as(client.err()).isZero();
            assertThat(client.out()).contains("is fast\nchecked\n");
            assertThat(client.err())
                    .containsPattern("the link with .* does not work: broken: there is no cable")
                    .contains("goes through " + NETWORK);
        }
    }

    private static ChildProcess client(ChildProcess server, String options) throws InterruptedException {
        server.awaitOut(text -> text.endsWith("\n"), LONGEST);
        String port = server.out().strip().substring("port ".length());
        return AgentJar.start(EchoClient.class, options, "127.0.0.1", port, "fast", "stream");
    }

    private static List<String> lines(ChildProcess program) throws InterruptedException {
        program.awaitOut(text -> text.endsWith("end\n"), LONGEST);
        return program.out().lines().toList();
    }

    @Override
    @Test
    @Tag("slow")
    void channelsOfASelectorGoOverTheLink() throws Exception {
        super.channelsOfASelectorGoOverTheLink();
    }

    @Override
    @Test
    @Tag("slow")
    void whoLosesItsPeerIsTold() throws Exception {
        super.whoLosesItsPeerIsTold();
    }
}
