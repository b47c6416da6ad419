package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Virtual threads that wait for fast sockets leave the processors to others, however many they are. */
class VirtualThreadsTest {
    /** Of each kind; more than there are carriers, which are as many as processors. */
    private static final int WAITING = 20 + 2 * Runtime.getRuntime().availableProcessors();

    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    @Test
    void thatWaitKeepNoCarrier() throws Exception {
        List<FutureTask<String>> waiting = new ArrayList<>();
        List<AutoCloseable> open = new ArrayList<>();
        try {
            for (int each = 0; each < WAITING; each++) {
                SocketPair reading = SocketPair.open(true);
                open.add(reading);
                waiting.add(start(() -> reading.clientIn().read()));
                SocketPair writing = SocketPair.open(true);
                open.add(writing);
                waiting.add(start(() -> {
                    byte[] much = new byte[1 << 20];
                    while (true) {
                        writing.clientOut().write(much);
                    }
                }));
                ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                open.add(listener);
                waiting.add(start(listener::accept));
                assertThat(FastSockets.isFast(reading.client()) && FastSockets.isFast(writing.client()))
                        .isTrue();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // to wait, after looking for a while
            assertThat(waiting).as("threads that wait").noneMatch(FutureTask::isDone);
            FutureTask<String> another = start(() -> "ran");
            assertThat(another.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
        for (FutureTask<String> each : waiting) {
            assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo("java.net.SocketException(Socket closed)");
        }
    }

    private static FutureTask<String> start(Callable<?> call) {
        FutureTask<String> task = new FutureTask<>(() -> SocketPair.outcome(call));
        Thread.ofVirtual().start(task);
        return task;
    }
}
