package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentListenerTest {
    @TempDir
    private Path folder;

    /** How agents listen, on Linux and elsewhere. */
    enum Way {
        SOCKET,
        CHANNEL;

        AgentListener at(Path socket) throws IOException {
            return this == SOCKET ? AgentListener.at(socket) : AgentListener.OfChannel.at(socket);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesGoBothWaysAndGoOnAfterTheLastHasCome(Way way) throws Exception {
        Path socket = folder.resolve("agent");
        AgentListener listener = way.at(socket);
        AgentSocket connected = AgentSocket.to(socket);
        MessageStream guest = new MessageStream(new AgentInput(connected), new AgentOutput(connected), () -> {});
        try (MessageStream host = listener.accept()) {
            listener.stop();
            guest.write(Message.of(Kind.HELLO, 2, 7, "a"));
            assertThat(host.read())
                    .hasToString(Message.of(Kind.HELLO, 2, 7, "a").toString());
            String much = "b".repeat(1 << 20); // more than there is room for
            FutureTask<Message> reading = new FutureTask<>(guest::read);
            Thread.ofPlatform().start(reading);
            host.write(Message.of(Kind.GONE, 1, 0, much));
            assertThat(reading.get().text()).isEqualTo(much);
        }
        assertThat(guest.read()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForProcessesGetsToKnowThatNoneWillCome(Way way) throws Exception {
        AgentListener listener = way.at(folder.resolve("agent"));
        FutureTask<MessageStream> accepting = new FutureTask<>(listener::accept);
        Thread.ofPlatform().start(accepting);
        listener.stop();
        listener.stop();
        assertThatThrownBy(accepting::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
    }
}
