package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two workers of one process talk. */
class UcxWorkerTest {
    private static final long EXACT = -1;
    private static final long LIMIT = 30_000_000_000L;

    private final List<String> failures = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private UcxWorker first;
    private UcxWorker second;
    private long toSecond;

    @BeforeEach
    void open() throws Exception {
        UcxLibrary.unavailable().ifPresent(Assumptions::abort);
        first = worker();
        second = worker();
        toSecond = first.connect(second.address(), 1, true);
    }

    @AfterEach
    void close() {
        if (first != null) {
            long request = first.disconnect(toSecond, true);
            if (request > 0) {
                await(() -> first.status(request) != UcxWorker.IN_PROGRESS);
                first.free(request);
            }
            first.close();
            second.close();
            second.close();
        }
        arena.close();
    }

    private UcxWorker worker() throws UcxException {
        return worker("all");
    }

    private UcxWorker worker(String transports) throws UcxException {
        return UcxWorker.open(
                UcxLibrary.open(),
                (peer, reason) -> failures.add(peer + ": " + reason),
                2,
                0xff,
                Map.of("KEEPALIVE_INTERVAL", "1s", "NO_SUCH_SETTING", "1", "TLS", transports));
    }

    private void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            first.progress();
            second.progress();
        }
    }

    private MemorySegment filled(int bytes, int seed) {
        MemorySegment memory = arena.allocate(bytes, 8);
        for (int each = 0; each < bytes; each++) {
            memory.set(JAVA_BYTE, each, (byte) (seed + each * 31));
        }
        return memory;
    }

    private void finishSend(long sent) {
        assertThat(UcxWorker.isError(sent)).isFalse();
        if (sent != 0) {
            await(() -> first.status(sent) != UcxWorker.IN_PROGRESS);
            assertThat(first.status(sent)).isEqualTo(UcxWorker.OK);
            first.free(sent);
        }
    }

    @Test
    void messagesOfAnySizeFindTheirReceives() {
        for (int bytes : new int[] {0, 8, 100, 8192, 100_000, 3 << 20}) {
            MemorySegment out = filled(bytes, bytes);
            MemorySegment in = arena.allocate(bytes + 1L, 8);
            long receive = second.receive(in.address(), bytes, 7, EXACT);
            long send = first.send(toSecond, out.address(), bytes, 7);
            await(() -> second.status(receive) != UcxWorker.IN_PROGRESS);
            assertThat(second.status(receive)).isEqualTo(UcxWorker.OK);
            second.free(receive);
            finishSend(send);
            assertThat(in.asSlice(0, bytes).mismatch(out)).isEqualTo(-1);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void aMessageThatHasArrivedIsReceivedAtOnceAndTagsAreMasked() {
        finishSend(first.send(toSecond, filled(8, 1).address(), 8, 0x501));
        finishSend(first.send(toSecond, filled(9, 2).address(), 9, 0x502));
        finishSend(first.send(toSecond, filled(9, 3).address(), 3, 0x703));
        await(() -> second.take(0x703, EXACT) != 0); // which has come behind the others
        assertThat(second.take(0x600, 0xf00)).isZero();
        long message = second.take(0x500, 0xf00);
        assertThat(second.takenTag()).isEqualTo(0x501);
        MemorySegment in = arena.allocate(16, 8);
        assertThat(second.receiveMessage(message, in.address(), 16, second.newReceive()))
                .isZero();
        assertThat(in.asSlice(0, 8).mismatch(filled(8, 1))).isEqualTo(-1);
        assertThat(second.receive(in.address(), 16, 0x500, 0xf00)).isZero();
        assertThat(in.asSlice(0, 9).mismatch(filled(9, 2))).isEqualTo(-1);
    }

    @Test
    void aReceiveIsTakenBack() {
        long receive = second.receive(arena.allocate(8).address(), 8, 1, EXACT);
        assertThat(second.status(receive)).isEqualTo(UcxWorker.IN_PROGRESS);
        second.cancel(receive);
        await(() -> second.status(receive) != UcxWorker.IN_PROGRESS);
        assertThat(second.status(receive)).isEqualTo(UcxWorker.CANCELLED);
        second.free(receive);
    }

    @Test
    void aSleepEndsWhenAMessageComes() {
        finishSend(first.send(toSecond, filled(8, 1).address(), 8, 1)); // they are connected
        await(() -> second.take(1, EXACT) != 0);
        await(() -> first.progress() + second.progress() == 0 && second.arm());
        try (DescriptorWait wait = new DescriptorWait(second.descriptor())) {
            finishSend(first.send(toSecond, filled(8, 2).address(), 8, 2));
            assertThat(wait.await(LIMIT)).isEqualTo(1);
        }
        await(() -> second.take(2, EXACT) != 0);
    }

    /** Over sockets, where nobody answers for a peer that makes no call. */
    @Test
    void aWorkerWhosePeerDoesNotAnswerLeavesNothingOpen() throws Exception {
        try (UcxWorker silent = worker("tcp,self")) {
            UcxWorker leaving = worker("tcp,self");
            Path descriptor = Path.of("/proc/self/fd", String.valueOf(leaving.descriptor()));
            String opened = Files.readSymbolicLink(descriptor).toString();
            long endpoint = leaving.connect(silent.address(), 1, true);
            for (long request : new long[] {
                leaving.send(endpoint, filled(8, 1).address(), 8, 1), leaving.disconnect(endpoint, false)
            }) {
                assertThat(UcxWorker.isError(request)).isFalse();
                if (request != 0) {
                    leaving.free(request); // as if it were over
                }
            }
            leaving.close();
            assertThat(Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)
                            && Files.readSymbolicLink(descriptor).toString().equals(opened))
                    .isFalse();
        }
    }

    @Test
    void aCallThatFailsIsNamedWithItsReason() {
        assertThatThrownBy(() -> first.connect(new byte[64], 1, true))
                .isInstanceOf(UcxException.class)
                .hasMessageStartingWith("UCX: ucp_ep_create has failed: ");
        assertThat(first.describe(UcxLayout.CANCELLED)).isEqualTo("Request canceled");
        assertThat(UcxLibrary.open().version()).matches("1\\.\\d+\\.\\d+");
    }

    @Test
    void whyNothingCanBeUsedIsTold() {
        assertThat(UcxWorker.unavailable()).isEmpty();
        assertThatThrownBy(
                        () -> UcxWorker.open(UcxLibrary.open(), (_, _) -> {}, 2, 0xff, Map.of("TLS", "carrierpigeon")))
                .isInstanceOf(UcxException.class)
                .hasMessageContaining("ucp_init has failed: No such device");
    }

    @Test
    void namesItsTransportsWithTheirDevices() throws Exception {
        assertThat(UcxTransports.all().keySet()).contains("self", "tcp");
        assertThat(UcxTransports.inWords()).contains("tcp on ").containsPattern("\\w+ at [0-9a-f.:]+");
    }

    @Test
    void readsWhatUcxPrintsOfAdapters() {
        assertThat(UcxTransports.parse("""
                        # UCP context
                        #            md 0  :  mlx5_0
                        #      resource 0  :  md 0  dev 1  flags -- rc_mlx5/mlx5_0:1
                        #      resource 1  :  md 0  dev 2  flags -- rc_mlx5/mlx5_1:1
                        #      resource 2  :  md 1  dev 3  flags -- posix/memory
                        #
                        """))
                .isEqualTo(Map.of("rc_mlx5", List.of("mlx5_0:1", "mlx5_1:1"), "posix", List.of("memory")));
    }
}
