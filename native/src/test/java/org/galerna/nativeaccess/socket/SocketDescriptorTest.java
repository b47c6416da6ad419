package org.galerna.nativeaccess.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class SocketDescriptorTest {
    private record Pair(SocketChannel near, SocketChannel far) implements AutoCloseable {
        static Pair tcp() throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                return connect(listener, SocketChannel.open());
            }
        }

        static Pair unix(Path file) throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                listener.bind(UnixDomainSocketAddress.of(file));
                return connect(listener, SocketChannel.open(StandardProtocolFamily.UNIX));
            }
        }

        private static Pair connect(ServerSocketChannel listener, SocketChannel near) throws IOException {
            near.connect(listener.getLocalAddress());
            return new Pair(near, listener.accept());
        }

        SocketDescriptor from() {
            return SocketDescriptor.of(near).orElseThrow();
        }

        SocketDescriptor to() {
            return SocketDescriptor.of(far).orElseThrow();
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }

    @Test
    void bytesOfArraysOfAnyKindTravelBetweenTheRightSockets(@TempDir Path folder) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        for (int each = 0; each < 10; each++) {
            pairs.add(each % 2 == 0 ? Pair.tcp() : Pair.unix(folder.resolve("socket-" + each)));
        }
        for (int each = 0; each < pairs.size(); each++) {
            long[] sent = {1, each, -1};
            MemorySegment source = MemorySegment.ofArray(sent);
            assertThat(pairs.get(each).from().send(source, 8, 16, false)).isEqualTo(16);
        }
        for (int each = 0; each < pairs.size(); each++) {
            int[] received = new int[6];
            assertThat(pairs.get(each).to().receive(MemorySegment.ofArray(received), 4, 20))
                    .isEqualTo(16);
            assertThat(received).containsExactly(0, each, 0, -1, -1, 0);
            pairs.get(each).close();
        }
    }

    @Test
    void numbersThatTheSystemGivesOutAgainAreFoundWhetherOrNotTheyWereGivenBack() throws IOException {
        List<Pair> pairs = new ArrayList<>();
        for (int each = 0; each < 200; each++) {
            if (each % 3 == 2) {
                Pair closed = pairs.remove(each / 3);
                if (each % 2 == 0) {
                    closed.from().release();
                }
                closed.close();
            }
            Pair pair = Pair.tcp();
            pairs.add(pair);
            long[] sent = {each};
            assertThat(pair.from().send(MemorySegment.ofArray(sent), 0, 8, false))
                    .isEqualTo(8);
            long[] received = new long[1];
            assertThat(pair.to().receive(MemorySegment.ofArray(received), 0, 8)).isEqualTo(8);
            assertThat(received).containsExactly(each);
        }
        for (Pair each : pairs) {
            each.close();
        }
    }

    @Test
    void nothingBlocksAndTheEndIsTold() throws IOException {
        try (Pair pair = Pair.tcp()) {
            SocketDescriptor to = pair.to();
            MemorySegment target = MemorySegment.ofArray(new byte[100]);
            assertThat(to.receive(target, 0, 100)).isZero();
            SocketDescriptor from = pair.from();
            MemorySegment much = MemorySegment.ofArray(new byte[1 << 20]);
            int sent;
            do {
                sent = from.send(much, 0, much.byteSize(), true);
            } while (sent > 0);
            assertThat(sent).as("room that nobody makes").isZero();
            pair.near().close();
            while ((sent = to.receive(target, 0, 100)) > 0) {
                assertThat(target.get(ValueLayout.JAVA_BYTE, 0)).isZero();
            }
            assertThat(sent).isEqualTo(-1);
        }
    }

    @Test
    void bytesThatThePeersSystemHasNoRoomForAreCounted() throws IOException {
        try (Pair pair = Pair.tcp()) {
            SocketDescriptor from = pair.from();
            assertThat(from.unacknowledged()).isZero();
            MemorySegment much = MemorySegment.ofArray(new byte[1 << 20]);
            long sent = 0;
            int count;
            while ((count = from.send(much, 0, much.byteSize(), false)) > 0) {
                sent += count;
            }
            assertThat(from.unacknowledged()).isPositive();
            SocketDescriptor to = pair.to();
            while (sent > 0) {
                sent -= to.receive(much, 0, much.byteSize());
            }
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (from.unacknowledged() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(from.unacknowledged()).isZero();
        }
    }

    /** What there is room for is acknowledged, and where there is none the system says so when it is asked again. */
    @Test
    void theSystemOfAPeerThatReadsNothingAnswers(@TempDir Path folder) throws IOException {
        try (Pair pair = Pair.tcp();
                Pair unix = Pair.unix(folder.resolve("socket"))) {
            SocketDescriptor from = pair.from();
            MemorySegment much = MemorySegment.ofArray(new byte[1 << 20]);
            assertThat(from.send(much, 0, 1, false)).isEqualTo(1);
            awaitAnswers(from, answers -> answers.unanswered() == 0);
            while (from.send(much, 0, much.byteSize(), false) > 0) {
                // until the system takes no more
            }
            awaitAnswers(from, answers -> answers.unanswered() == 0 && answers.quietMillis() > 300);
            awaitAnswers(from, answers -> answers.quietMillis() < 300);
            assertThatThrownBy(() -> unix.from().answers()).isInstanceOf(IOException.class);
        }
    }

    private static void awaitAnswers(SocketDescriptor of, Predicate<SystemAnswers> expected) throws IOException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        SystemAnswers answers = of.answers();
        while (!expected.test(answers)) {
            assertThat(System.nanoTime()).as("%s, by when", answers).isLessThan(deadline);
            answers = of.answers();
        }
    }

    @Test
    void congestionOfTcpAloneIsControlledAndByWhatTheSystemHas(@TempDir Path folder) throws IOException {
        try (Pair tcp = Pair.tcp();
                Pair unix = Pair.unix(folder.resolve("socket"))) {
            assertThat(tcp.from().controlCongestion(SocketDescriptor.UNPACED)).isTrue();
            assertThat(tcp.from().controlCongestion("none such")).isFalse();
            assertThat(unix.from().controlCongestion(SocketDescriptor.UNPACED)).isFalse();
        }
    }

    @Test
    void aBrokenConnectionIsAnErrorWithTheSystemsReason() throws IOException {
        try (Pair pair = Pair.tcp()) {
            pair.far().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.far().close();
            SocketDescriptor from = pair.from();
            MemorySegment byteOfAnArray = MemorySegment.ofArray(new byte[1]);
            assertThatThrownBy(() -> {
                        while (true) {
                            from.send(byteOfAnArray, 0, 1, false);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("Connection reset by peer|Broken pipe");
        }
    }

    @Test
    void theOptionThatMarksASocketIsPutBack() throws IOException {
        try (Pair pair = Pair.tcp()) {
            int unset = pair.near().getOption(StandardSocketOptions.SO_LINGER);
            assertThat(SocketDescriptor.of(pair.near())).isPresent();
            assertThat(pair.near().getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(unset);
            pair.near().setOption(StandardSocketOptions.SO_LINGER, 7);
            assertThat(SocketDescriptor.of(pair.near())).isPresent();
            assertThat(pair.near().getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(7);
        }
    }

    @Test
    void aClosedChannelHasNone() throws IOException {
        Pair pair = Pair.tcp();
        pair.close();
        assertThat(SocketDescriptor.of(pair.near())).isEmpty();
    }
}
