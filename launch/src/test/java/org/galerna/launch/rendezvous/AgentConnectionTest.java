package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** How processes connect, on Linux and elsewhere. */
    enum Way {
        SOCKET,
        CHANNEL;

        AgentSocket to(Path socket) throws IOException {
            return this == SOCKET ? AgentSocket.to(socket) : AgentSocket.OfChannel.to(socket);
        }
    }

    private void await(String event) {
        Deadline.after(LONGEST).await(event, () -> events.contains(event));
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    private static void welcome(MessageStream agent) throws IOException {
        assertThat(agent.read().kind()).isEqualTo(Kind.HELLO);
        Welcome welcome = new Welcome("job", RANK + 1, true, List.of(), new BitSet(), Duration.ZERO);
        agent.write(Message.of(Kind.WELCOME, RANK, 0, welcome.write()));
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

    @ParameterizedTest
    @EnumSource
    void whoHasSaidGoodbyeStillListensButStaysInNoCallOfTheSystem(Way way) throws Exception {
        Path socket = folder.resolve("agent");
        try (ServerSocketChannel listener = listen(socket)) {
            AtomicBoolean left = new AtomicBoolean();
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(way.to(socket), socket, RANK, new Recorder());
                    agent.wireup(RANK, (rank, status, reason) -> events.add("aborted"));
                    agent.start(Thread.currentThread().getThreadGroup());
                    agent.leave(RANK, true);
                    left.set(true);
                } catch (Exception failed) {
                    events.add(failed.toString());
                }
            });
            try (MessageStream agent = stream(listener.accept())) {
                welcome(agent);
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
    void aProcessThatComesWhileTheJobEndsIsToldSo() throws Exception {
        Path socket = folder.resolve("agent");
        try (ServerSocketChannel listener = listen(socket)) {
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(socket, RANK, new Recorder());
                    events.add(agent.welcome().job());
                } catch (JobEndedException late) {
                    events.add("late");
                } catch (IOException failed) {
                    events.add(failed.toString());
                }
            });
            try (MessageStream agent = stream(listener.accept())) {
                assertThat(agent.read().kind()).isEqualTo(Kind.HELLO);
                agent.write(Message.of(Kind.END));
                process.join();
            }
            assertThat(events).containsExactly("late");
        }
    }

    /** Ranks of a process that all read what all have published: each value is asked for once, and many of them at once. */
    @Test
    void ranksOfAProcessAskForEachValueOnce() throws Exception {
        int ranks = 300;
        int here = 8;
        Path socket = folder.resolve("agent");
        try (ServerSocketChannel listener = listen(socket)) {
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(socket, 0, new Recorder());
                    agent.start(Thread.currentThread().getThreadGroup());
                    List<Thread> threads = new ArrayList<>();
                    for (int rank = 0; rank < here; rank++) {
                        RendezvousWireup wireup = agent.wireup(rank, (_, _, _) -> events.add("aborted"));
                        wireup.put("where", value(rank));
                        threads.add(Thread.ofPlatform().daemon().start(() -> readAll(wireup)));
                    }
                    for (Thread each : threads) {
                        each.join();
                    }
                    agent.leave(0, true);
                } catch (Exception failed) {
                    events.add(failed.toString());
                }
            });
            Map<Integer, Integer> asked = new HashMap<>();
            try (MessageStream agent = stream(listener.accept())) {
                assertThat(agent.read().kind()).isEqualTo(Kind.HELLO);
                Welcome welcome = new Welcome("job", ranks, true, List.of(), new BitSet(), Duration.ZERO);
                agent.write(Message.of(Kind.WELCOME, 0, 0, welcome.write()));
                for (Message message = agent.read(); message.kind() == Kind.GET; message = agent.read()) {
                    Values wanted = Values.of(message);
                    List<byte @Nullable []> values = new ArrayList<>();
                    for (int rank = wanted.first(); rank < wanted.first() + wanted.count(); rank++) {
                        asked.merge(rank, 1, Integer::sum);
                        values.add(value(rank));
                    }
                    agent.write(Values.answer(message.rank(), values));
                }
            }
            process.join();
            assertThat(events).filteredOn(event -> event.equals("read")).hasSize(here);
            assertThat(asked).hasSize(ranks);
            assertThat(asked.values()).containsOnly(1);
        }
    }

    /** With as many ranks as a job may have, each would ask for the values of all. */
    @Test
    void whatAllHavePublishedIsAskedOfNobody() throws Exception {
        byte[] here = value(0);
        byte[] moved = value(1);
        Path socket = folder.resolve("agent");
        try (ServerSocketChannel listener = listen(socket)) {
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(socket, RANK, new Recorder());
                    RendezvousWireup wireup = agent.wireup(RANK, (_, _, _) -> events.add("aborted"));
                    agent.start(Thread.currentThread().getThreadGroup());
                    events.add("alone " + wireup.isAlone() + ", common " + wireup.common("where"));
                    wireup.fence();
                    events.add("all " + Arrays.equals(wireup.common("where").orElseThrow(), here));
                    events.add("of 1 " + Arrays.equals(wireup.get(1, "where"), here));
                    wireup.fence();
                    events.add("then " + wireup.common("where"));
                    events.add("of 1 then " + Arrays.equals(wireup.get(1, "where"), moved));
                } catch (Exception failed) {
                    events.add(failed.toString());
                }
            });
            try (MessageStream agent = stream(listener.accept())) {
                welcome(agent);
                assertThat(agent.read().kind()).isEqualTo(Kind.FENCE);
                agent.write(
                        Message.of(Kind.FENCED, RANK, 0, CommonValue.write(List.of(new CommonValue("where", here)))));
                assertThat(agent.read().kind()).as("no question").isEqualTo(Kind.FENCE);
                agent.write(
                        Message.of(Kind.FENCED, RANK, 1, CommonValue.write(List.of(new CommonValue("where", null)))));
                Message question = agent.read();
                assertThat(question.kind()).isEqualTo(Kind.GET);
                agent.write(Values.answer(
                        RANK, Collections.nCopies(Values.of(question).count(), moved)));
                process.join();
            }
        }
        assertThat(events)
                .startsWith(
                        "alone true, common Optional.empty",
                        "all true",
                        "of 1 true",
                        "then Optional.empty",
                        "of 1 then true");
    }

    private static byte[] value(int rank) {
        return ("host of " + rank).getBytes(StandardCharsets.UTF_8);
    }

    private void readAll(RendezvousWireup wireup) {
        for (int peer = 0; peer < wireup.size(); peer++) {
            if (!Arrays.equals(wireup.get(peer, "where"), value(peer))) {
                events.add("wrong value of " + peer);
            }
        }
        events.add("read");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptOfAThreadThatWritesEndsNeitherTheMessageNorTheConnection(Way way) throws Exception {
        Path socket = folder.resolve("agent");
        try (ServerSocketChannel listener = listen(socket)) {
            byte[] longerThanAnyBuffer = new byte[8 << 20];
            Thread process = Thread.ofPlatform().daemon().start(() -> {
                try {
                    AgentConnection agent = AgentConnection.open(way.to(socket), socket, RANK, new Recorder());
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
                welcome(agent);
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
