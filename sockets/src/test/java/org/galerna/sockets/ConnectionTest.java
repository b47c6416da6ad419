package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.galerna.sockets.Actions.run;
import static org.galerna.sockets.Actions.untilClosed;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.host.HostConnection;
import org.galerna.sockets.host.HostControl;
import org.galerna.sockets.host.Registration;
import org.galerna.sockets.pipe.HostFolder;
import org.galerna.sockets.pipe.PipeLayout;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends in one process, over plain TCP, with pipes that the test offers when it likes. */
class ConnectionTest {
    private static final int RING = 1 << 14;
    private static final AtomicLong COOKIES = new AtomicLong(1L << 60);

    @TempDir
    private Path folder;

    private HostControl control;
    private Registration listener;
    private HostConnection peer;
    private Socket client;
    private Socket server;
    private FastConnection near;
    private FastConnection far;

    @BeforeEach
    void connect() throws Exception {
        Settings settings =
                new Settings(true, false, List.of(), List.of(), 0, 0, RING, 1024, folder, List.of("shm"), null);
        control = HostControl.open(settings);
        InetAddress here = InetAddress.getLoopbackAddress();
        listener = control.listen(here, 1, () -> null);
        peer = control.connect(control.folder().listener(here, 1));
        try (ServerSocket listening = new ServerSocket(0, 1, here)) {
            client = new Socket(here, listening.getLocalPort());
            server = listening.accept();
        }
        near = connection(client);
        far = connection(server);
    }

    private static FastConnection connection(Socket socket) throws IOException {
        return new FastConnection(socket.getInputStream(), socket.getOutputStream(), new NoOptions(), "test", null);
    }

    @AfterEach
    void close() throws Exception {
        near.close(false);
        far.close(false);
        client.close();
        server.close();
        listener.release();
    }

    private PipeMemory offer(long cookie) throws IOException {
        Random random = new Random();
        long high = random.nextLong();
        long low = random.nextLong();
        assertThat(Counters.INSTANCE.open(1024)).isTrue();
        PipeMemory memory = PipeMemory.create(control.folder(), HostFolder.pipeName(high, low), RING);
        peer.offer(memory, cookie, high, low, near);
        return memory;
    }

    private PipeMemory becomeFast() throws IOException {
        long cookie = COOKIES.incrementAndGet();
        control.registry().accepted(cookie, far);
        PipeMemory memory = offer(cookie);
        await(() -> near.isFast() && far.isFast());
        exchange(near, far);
        exchange(far, near);
        return memory;
    }

    private static void exchange(FastConnection from, FastConnection to) throws IOException {
        from.write(new byte[] {1, 2, 3}, 0, 3);
        byte[] target = new byte[3];
        for (int got = 0; got < 3; ) {
            got += to.read(target, got, 3 - got, 0);
        }
        assertThat(target).containsExactly(1, 2, 3);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void takesUpAnOfferThatCameBeforeTheConnectionWasAccepted() throws Exception {
        long cookie = COOKIES.incrementAndGet();
        offer(cookie);
        exchange(near, far);
        assertThat(near.isFast()).isFalse();
        control.registry().accepted(cookie, far);
        await(() -> near.isFast() && far.isFast());
        exchange(near, far);
    }

    @Test
    void anOfferThatWasTakenBackIsNoLackOfMemory() throws Exception {
        long cookie = COOKIES.incrementAndGet();
        long before = withdrawn();
        control.registry().accepted(cookie, far);
        assertThat(Counters.INSTANCE.open(1024)).isTrue();
        PipeMemory memory = PipeMemory.create(control.folder(), HostFolder.pipeName(7, cookie), RING);
        memory.removeName();
        peer.offer(memory, cookie, 7, cookie, near);
        await(() -> withdrawn() == before + 1);
        exchange(near, far);
        exchange(far, near);
        assertThat(far.isFast()).isFalse();
    }

    private static long withdrawn() {
        return Counters.INSTANCE.getPlain().getOrDefault(FallbackReason.WITHDRAWN.name(), 0L);
    }

    @Test
    void anOfferForAnotherSocketIsNotTakenUp() throws Exception {
        control.registry().accepted(COOKIES.incrementAndGet(), far);
        offer(COOKIES.incrementAndGet());
        exchange(near, far);
        exchange(far, near);
        near.close(false);
        assertThat(far.isFast()).isFalse();
        await(() -> memoryFiles() == 0);
    }

    private long memoryFiles() throws IOException {
        try (var files = Files.list(control.folder().path())) {
            return files.filter(file -> file.getFileName().toString().startsWith("pipe"))
                    .count();
        }
    }

    @Test
    void theMemoryIsGivenBackWhenBothEndsAreClosed() throws Exception {
        PipeMemory memory = becomeFast();
        assertThat(memoryFiles()).as("it has no name once it is shared").isZero();
        SocketPair.Blocked reader = SocketPair.blocked(false, () -> near.read(new byte[1], 0, 1, 0));
        int before = Counters.INSTANCE.getOpenFast();
        near.close(false);
        assertThat(reader.outcome()).isEqualTo("java.net.SocketException(Socket closed)");
        far.close(false);
        await(() -> Counters.INSTANCE.getOpenFast() <= before - 2);
        await(() -> {
            try {
                memory.state();
                return false;
            } catch (IllegalStateException givenBack) {
                return true;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-(1L << 40), Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40})
    void anImpossibleIndexEndsTheConnection(long index) throws Exception {
        PipeMemory memory = becomeFast();
        MemorySegment forth = memory.direction(PipeLayout.FORTH);
        forth.set(ValueLayout.JAVA_LONG, 0, index); // the tail
        assertThatThrownBy(() -> far.read(new byte[100], 0, 100, 0))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("the writer of a ring says");
        memory.direction(PipeLayout.BACK).set(ValueLayout.JAVA_LONG, 128, index); // the head
        assertThatThrownBy(() -> far.write(new byte[10 * RING], 0, 10 * RING))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("the reader of a ring says");
    }

    @Test
    void bytesStayInOrderWhereverTheConnectionTurnsToThePipe() throws Exception {
        long seed = Seeds.next("ConnectionTest");
        Random random = new Random(seed);
        for (int round = 0; round < 15; round++) {
            if (round > 0) {
                close();
                connect();
            }
            long cookie = COOKIES.incrementAndGet();
            long there = random.nextLong();
            long back = random.nextLong();
            CompletableFuture<Void> sender = run(() -> send(near, there));
            CompletableFuture<Void> answerer = run(() -> send(far, back));
            CompletableFuture<Void> offerer = run(() -> {
                LockSupport.parkNanos(new Random(there).nextInt(3_000_000));
                control.registry().accepted(cookie, far);
                offer(cookie);
            });
            CompletableFuture<Void> receiver = run(() -> receive(near, back));
            receive(far, there);
            CompletableFuture.allOf(sender, answerer, offerer, receiver).get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void closingAtAnyMomentEndsWhateverIsUnderWay() throws Exception {
        for (int round = 0; round < 8; round++) {
            boolean idle = round == 7; // nobody reads: when the pipe is full, and TCP, the writer waits in TCP
            if (round > 0) {
                close();
                connect();
            }
            becomeFast();
            CompletableFuture<Void> writer = run(() -> untilClosed(() -> near.write(new byte[5000], 0, 5000)));
            CompletableFuture<Void> reader = idle
                    ? CompletableFuture.completedFuture(null)
                    : run(() -> untilClosed(() -> far.read(new byte[3000], 0, 3000, 0)));
            CompletableFuture<Void> other = run(() -> untilClosed(() -> near.read(new byte[1], 0, 1, 0)));
            LockSupport.parkNanos(idle ? 100_000_000 : round * 100_000L);
            CompletableFuture<Void> closer = run(() -> close(far, server));
            close(near, client);
            CompletableFuture.allOf(writer, reader, other, closer).get(60, TimeUnit.SECONDS);
        }
    }

    /** As a socket does: a reader or writer that waits in TCP hears of nothing else. */
    private static void close(FastConnection connection, Socket tcp) throws IOException {
        connection.close(false);
        tcp.close();
    }

    private static final int SENT = 2_000_000;

    private static void send(FastConnection connection, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] all = new byte[SENT];
        random.nextBytes(all);
        for (int at = 0; at < SENT; ) {
            int piece = Math.min(SENT - at, 1 + random.nextInt(random.nextInt(20) == 0 ? 50_000 : 500));
            connection.write(all, at, piece);
            at += piece;
        }
    }

    private static void receive(FastConnection connection, long seed) throws IOException {
        byte[] all = new byte[SENT];
        new Random(seed).nextBytes(all);
        byte[] piece = new byte[30_000];
        Random random = new Random(~seed);
        for (int at = 0; at < SENT; ) {
            int count = connection.read(piece, 0, 1 + random.nextInt(piece.length - 1), 0);
            for (int index = 0; index < count; index++) {
                if (piece[index] != all[at + index]) {
                    throw new AssertionError("byte " + (at + index) + " of " + connection + " is another one");
                }
            }
            at += count;
        }
    }
}
