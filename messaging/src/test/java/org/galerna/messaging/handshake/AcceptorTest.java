package org.galerna.messaging.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.galerna.messaging.LoggedLines;
import org.galerna.messaging.support.FailureLog;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptorTest {
    private static final int TIMES = 200;
    private static final FailureLog FAILURES = new FailureLog(1);

    private static Acceptor open(InetSocketAddress address) throws IOException {
        Acceptor acceptor = new Acceptor("acceptor", address, FAILURES, visitor -> false);
        acceptor.open();
        return acceptor;
    }

    /** A port that the system does not give to others meanwhile: those are of the range for clients. */
    private static InetSocketAddress address() throws IOException {
        for (int port = 20_000; ; port++) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Acceptor free = open(address)) {
                return free.address();
            } catch (IOException taken) {
                if (port == 30_000) {
                    throw taken;
                }
            }
        }
    }

    @Test
    void anAddressIsFreeWhenTheAcceptorIsClosed() throws IOException {
        InetSocketAddress address = address();
        for (int time = 0; time < TIMES; time++) {
            open(address).close();
        }
    }

    /** They have proved the key, and go on calling. */
    @Test
    void callersThatAreHeardAreLimited() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        List<SocketChannel> callers = new ArrayList<>();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Acceptor acceptor = new Acceptor("acceptor", any, 20, FAILURES, visitor -> {
            visitor.heard();
            boolean ignored = visitor.proved();
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
            return false;
        })) {
            acceptor.open();
            for (int each = 0; each < 50; each++) {
                callers.add(SocketChannel.open(acceptor.address()));
            }
            Deadline.after(RankThreads.LIMIT).await("refusals", () -> acceptor.refused() == 30);
            release.countDown();
            for (SocketChannel each : callers) {
                each.socket().setSoTimeout((int) RankThreads.LIMIT.toMillis());
                assertThat(each.socket().getInputStream().read()).isEqualTo(-1);
                each.close();
            }
        }
    }

    /** Whatever callers make it throw: the log has as many lines as for anything else. */
    @Test
    void callersThatCannotBeAnsweredDoNotFillTheLog() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        AtomicInteger answered = new AtomicInteger();
        try (LoggedLines log = new LoggedLines();
                Acceptor acceptor = new Acceptor("acceptor", any, new FailureLog(1), visitor -> {
                    answered.incrementAndGet();
                    throw new IllegalStateException("caller " + visitor.channel());
                })) {
            acceptor.open();
            long start = System.nanoTime();
            for (int each = 0; each < 200; each++) {
                Socket socket = call(acceptor);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            long seconds = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            assertThat(answered).hasValue(200);
            assertThat(log.with("node 1: a caller could not be answered"))
                    .hasSizeBetween(1, (int) seconds * FailureLog.MOST + FailureLog.MOST);
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws IOException {
        try (Acceptor acceptor = open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertThatThrownBy(() -> open(acceptor.address()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(acceptor.address().toString());
        }
    }

    /** Hears the first byte of a caller, takes the second for a proof, and sends it back. */
    private static boolean answer(Acceptor.Visitor visitor) throws IOException {
        InputStream in = visitor.channel().socket().getInputStream();
        if (in.read() < 0) {
            return false;
        }
        visitor.heard();
        if (in.read() < 0 || !visitor.proved()) {
            return false;
        }
        visitor.channel().socket().getOutputStream().write(1);
        int end = in.read();
        return end == 0; // never
    }

    private final List<Socket> sockets = new ArrayList<>();

    private Socket call(Acceptor acceptor) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(acceptor.address());
        socket.setSoTimeout(60_000);
        return socket;
    }

    @AfterEach
    void close() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Deadline.after(RankThreads.LIMIT).await(what, condition);
    }

    @Test
    void theOldestThatSayNothingAreTurnedAwayAndNobodyElse() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Acceptor acceptor = new Acceptor("acceptor", any, FAILURES, AcceptorTest::answer)) {
            acceptor.open();
            Socket proved = call(acceptor);
            proved.getOutputStream().write(new byte[] {1, 1});
            assertThat(proved.getInputStream().read()).isEqualTo(1);
            List<Socket> silent = new ArrayList<>();
            Socket first = call(acceptor);
            silent.add(first);
            Socket heard = call(acceptor);
            heard.getOutputStream().write(1);
            await("its first byte", () -> acceptor.heard() == 1);
            int more = 50;
            for (int each = 0; each < Acceptor.MOST_UNPROVED + more; each++) {
                silent.add(call(acceptor));
            }
            await("those that have to go", () -> acceptor.refused() >= more + 2);
            for (int each = 0; each < more + 2; each++) {
                assertThat(silent.get(each).getInputStream().read()).isEqualTo(-1);
            }
            heard.getOutputStream().write(1);
            assertThat(heard.getInputStream().read()).isEqualTo(1);
            Socket last = silent.getLast();
            last.getOutputStream().write(new byte[] {1, 1});
            assertThat(last.getInputStream().read()).isEqualTo(1);
            proved.setSoTimeout(1);
            assertThatThrownBy(() -> proved.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void whenAllHaveSaidSomethingTheOldestOfThemIsTurnedAway() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Acceptor acceptor = new Acceptor("acceptor", any, FAILURES, AcceptorTest::answer)) {
            acceptor.open();
            for (int each = 1; each <= Acceptor.MOST_UNPROVED; each++) {
                call(acceptor).getOutputStream().write(1);
                int all = each;
                await("the first byte", () -> acceptor.heard() == all);
            }
            Socket node = call(acceptor);
            assertThat(sockets.getFirst().getInputStream().read()).isEqualTo(-1);
            node.getOutputStream().write(new byte[] {1, 1});
            assertThat(node.getInputStream().read()).isEqualTo(1);
        }
    }
}
