package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank's process and its agent, which the test plays. */
class AgentConnectionTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int RANK = 3;

    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    private final class Recorder implements AgentConnection.Events {
        @Override
        public void asked() {
            events.add("asked");
        }

        @Override
        public void askedToLook(long round, boolean afresh) {
            events.add("look " + round + (afresh ? " afresh" : ""));
        }

        @Override
        public void jobIsOver() {
            events.add("over");
        }

        @Override
        public void agentLost() {
            events.add("lost");
        }
    }

    private void await(String event) {
        Deadline.after(LONGEST).await(event, () -> events.contains(event));
    }

    private static MessageStream stream(SocketChannel channel) {
        return new MessageStream(Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
    }

    private static Thread reader() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("galerna-agent"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whoHasSaidGoodbyeStillListensButStaysInNoCallOfTheSystem() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path socket = folder.resolve("agent");
            listener.bind(UnixDomainSocketAddress.of(socket));
            AtomicBoolean left = new AtomicBoolean();
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(socket, RANK, new Recorder());
                    agent.wireup(RANK, (rank, status, reason) -> events.add("aborted"));
                    agent.start(Thread.currentThread().getThreadGroup());
                    agent.leave(RANK, true);
                    left.set(true);
                } catch (Exception failed) {
                    events.add(failed.toString());
                }
            });
            try (MessageStream agent = stream(listener.accept())) {
                assertThat(agent.read().kind()).isEqualTo(Kind.HELLO);
                Welcome welcome = new Welcome("job", RANK + 1, List.of(), new BitSet(), Duration.ZERO);
                agent.write(Message.of(Kind.WELCOME, RANK, 0, welcome.write()));
                assertThat(agent.read())
                        .hasToString(Message.of(Kind.BYE, RANK, 1).toString());
                agent.write(Message.of(Kind.GOODBYE, RANK, 0));
                Deadline.after(LONGEST).await("the rank has left", left::get);
                // parked, which the virtual machine does not wait for when it ends; in a read it would be RUNNABLE
                Deadline.after(LONGEST)
                        .await("the reading thread is parked", () -> reader().getState() == Thread.State.TIMED_WAITING);
                agent.write(Message.of(Kind.WHERE, 0, 0));
                await("asked");
                agent.write(Message.of(Kind.END, 0, 0));
                await("over");
            }
            await("lost");
            process.join();
            assertThat(events).containsExactly("asked", "over", "lost");
        }
    }

    @Test
    void anInterruptOfAThreadThatWritesEndsNeitherTheMessageNorTheConnection() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path socket = folder.resolve("agent");
            listener.bind(UnixDomainSocketAddress.of(socket));
            byte[] longerThanAnyBuffer = new byte[8 << 20];
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(socket, RANK, new Recorder());
                    agent.start(Thread.currentThread().getThreadGroup());
                    Thread.currentThread().interrupt();
                    agent.send(Message.of(Kind.JOINED, RANK, 1));
                    agent.send(new Message(Kind.FENCE, RANK, 2, longerThanAnyBuffer));
                    events.add(Thread.interrupted() ? "still interrupted" : "forgotten");
                } catch (Exception failed) {
                    events.add(failed.toString());
                }
            });
            try (MessageStream agent = stream(listener.accept())) {
                assertThat(agent.read().kind()).isEqualTo(Kind.HELLO);
                Welcome welcome = new Welcome("job", RANK + 1, List.of(), new BitSet(), Duration.ZERO);
                agent.write(Message.of(Kind.WELCOME, RANK, 0, welcome.write()));
                assertThat(agent.read().kind()).isEqualTo(Kind.JOINED);
                Deadline.after(LONGEST)
                        .await("the process waits for space", () -> process.getState() == Thread.State.TIMED_WAITING);
                process.interrupt();
                reader().interrupt();
                assertThat(agent.read().body()).hasSize(longerThanAnyBuffer.length);
                await("still interrupted");
                agent.write(Message.of(Kind.WHERE, 0, 0));
                await("asked");
            }
            await("lost");
            process.join();
            assertThat(events).containsExactly("still interrupted", "asked", "lost");
        }
    }
}
