package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.galerna.nativeaccess.library.SignalHandlers;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two endpoints of one process talk, over providers that every Linux has. */
class OfiEndpointTest {
    private static final long LIMIT = 30_000_000_000L;
    private static final int BYTES = 1 << 16;

    @BeforeEach
    void available() {
        OfiLibrary.unavailable().ifPresent(Assumptions::abort);
    }

    /** An endpoint, memory that is registered with it, and what it has been told. */
    private static final class Side implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final OfiEndpoint endpoint;
        final OfiCompletions completions = new OfiCompletions(8);
        final MemorySegment memory = arena.allocate(BYTES, 4096);
        final MemorySegment contexts = arena.allocate(16L * OfiEndpoint.CONTEXT_BYTES, 64);
        final OfiMemory registered;
        final Map<Long, Long> lengths = new HashMap<>();
        final AtomicInteger taken = new AtomicInteger();

        Side(OfiProvider provider) throws OfiException {
            endpoint = OfiEndpoint.open(OfiLibrary.open(), provider, 2);
            registered = endpoint.register(memory.address(), BYTES);
        }

        long context(int number) {
            return contexts.address() + (long) number * OfiEndpoint.CONTEXT_BYTES;
        }

        void poll() {
            int count = endpoint.poll(completions);
            assertThat(count).as("status of a look").isNotNegative();
            for (int index = 0; index < count; index++) {
                lengths.put(completions.context(index), completions.length(index));
            }
        }

        boolean isOver(int number) {
            return lengths.containsKey(context(number));
        }

        @Override
        public void close() {
            registered.close();
            registered.close();
            endpoint.close();
            endpoint.close();
            arena.close();
        }
    }

    private static OfiProvider provider(String name) throws OfiException {
        Optional<OfiProvider> found = OfiLibrary.open().providers().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        Assumptions.assumeTrue(found.isPresent(), "there is no provider " + name);
        return found.orElseThrow();
    }

    private static void await(Side one, Side other, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            one.poll();
            other.poll();
        }
    }

    private static void start(Side one, Side other, java.util.function.IntSupplier operation) {
        int[] status = {operation.getAsInt()};
        await(one, other, () -> {
            if (OfiEndpoint.isBusy(status[0])) {
                status[0] = operation.getAsInt();
            }
            return !OfiEndpoint.isBusy(status[0]);
        });
        assertThat(status[0]).isZero();
    }

    private static byte[] bytes(MemorySegment memory, int from, int length) {
        return memory.asSlice(from, length).toArray(JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp;ofi_rxm", "shm", "tcp"})
    void messagesAndRemoteMemoryWork(String name) throws Exception {
        OfiProvider wanted = provider(name);
        try (Side first = new Side(wanted);
                Side second = new Side(wanted)) {
            long toSecond = first.endpoint.connect(second.endpoint.address());
            assertThat(first.endpoint.provider()).isEqualTo(wanted);
            for (int each = 0; each < BYTES; each++) {
                first.memory.set(JAVA_BYTE, each, (byte) (each * 31 + each / 256));
            }
            long mine = first.memory.address();
            long theirs = second.memory.address();
            start(
                    first,
                    second,
                    () -> second.endpoint.receive(theirs, 4096, second.registered.descriptor(), second.context(0)));
            start(
                    first,
                    second,
                    () -> second.endpoint.receive(
                            theirs + 4096, 4096, second.registered.descriptor(), second.context(1)));
            start(
                    first,
                    second,
                    () -> second.endpoint.receive(
                            theirs + 8192, 4096, second.registered.descriptor(), second.context(2)));
            start(
                    first,
                    second,
                    () -> first.endpoint.send(mine, 3000, first.registered.descriptor(), toSecond, first.context(0)));
            start(
                    first,
                    second,
                    () -> first.endpoint.send(
                            mine + 10, 4000, first.registered.descriptor(), toSecond, first.context(1)));
            assertThat(first.endpoint.injectBytes()).isGreaterThanOrEqualTo(8);
            start(first, second, () -> first.endpoint.inject(mine + 20, 8, toSecond));
            await(
                    first,
                    second,
                    () -> first.isOver(0)
                            && first.isOver(1)
                            && second.isOver(0)
                            && second.isOver(1)
                            && second.isOver(2));
            assertThat(second.lengths.values()).containsExactlyInAnyOrder(3000L, 4000L, 8L);
            assertThat(bytes(second.memory, 0, 3000)).isEqualTo(bytes(first.memory, 0, 3000));
            assertThat(bytes(second.memory, 4096, 4000)).isEqualTo(bytes(first.memory, 10, 4000));
            assertThat(bytes(second.memory, 8192, 8)).isEqualTo(bytes(first.memory, 20, 8));

            long key = second.registered.key();
            start(
                    first,
                    second,
                    () -> first.endpoint.write(
                            mine,
                            30_000,
                            first.registered.descriptor(),
                            toSecond,
                            second.registered.remoteAddress(theirs + 1000),
                            key,
                            first.context(2),
                            true));
            await(first, second, () -> first.isOver(2));
            assertThat(bytes(second.memory, 1000, 30_000)).isEqualTo(bytes(first.memory, 0, 30_000));
            second.memory.fill((byte) 7);
            start(
                    first,
                    second,
                    () -> first.endpoint.read(
                            mine + 5000,
                            40_000,
                            first.registered.descriptor(),
                            toSecond,
                            second.registered.remoteAddress(theirs + 5000),
                            key,
                            first.context(3)));
            await(first, second, () -> first.isOver(3));
            assertThat(bytes(first.memory, 5000, 40_000)).containsOnly((byte) 7);
            assertThat(bytes(first.memory, 45_000, 100)).isNotEqualTo(bytes(second.memory, 45_000, 100));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp;ofi_rxm", "shm", "tcp"})
    void aSleeperIsWokenByWhatComes(String name) throws Exception {
        OfiProvider wanted = provider(name);
        try (Side first = new Side(wanted);
                Side second = new Side(wanted)) {
            long toSecond = first.endpoint.connect(second.endpoint.address());
            Assumptions.assumeTrue(second.endpoint.descriptor() >= 0, "no descriptor to sleep at");
            int rounds = 50;
            Thread sender = Thread.ofPlatform().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    while (OfiEndpoint.isBusy(first.endpoint.inject(first.memory.address() + round, 8, toSecond))) {
                        first.poll();
                    }
                    while (second.taken.get() <= round) {
                        first.poll();
                    }
                }
            });
            try (DescriptorWait wait = new DescriptorWait(second.endpoint.descriptor())) {
                for (int round = 0; round < rounds; round++) {
                    long start = System.nanoTime();
                    int number = round % 8;
                    second.lengths.clear();
                    assertThat(second.endpoint.receive(
                                    second.memory.address(),
                                    64,
                                    second.registered.descriptor(),
                                    second.context(number)))
                            .isZero();
                    while (!second.isOver(number)) {
                        second.poll();
                        if (!second.isOver(number) && second.endpoint.maySleep()) {
                            int unused = wait.await(LIMIT);
                        }
                    }
                    assertThat(System.nanoTime() - start).isLessThan(LIMIT);
                    second.taken.set(round + 1);
                }
            }
            sender.join();
        }
    }

    @Test
    void theVirtualMachineKeepsItsSignalsWhileProvidersAreLookedFor() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            SignalHandlers before = SignalHandlers.current(arena);
            List<OfiProvider> providers = OfiLibrary.open().providers();
            assertThat(providers).doesNotHaveDuplicates();
            assertThat(before.changed()).isEmpty();
            assertThatThrownBy(() -> length(null)).isInstanceOf(NullPointerException.class);
        }
    }

    /** Without an explicit check, so that compiled code would run into SIGSEGV. */
    private static int length(String text) {
        return text.length();
    }

    /** Processes get the numbers of earlier ones, and what those leave behind that are killed has names by their numbers. */
    @Test
    void whatAKilledProcessHasLeftIsNotInTheWay() throws Exception {
        OfiProvider shared = provider("shm");
        String own;
        try (Side before = new Side(shared)) {
            own = new String(before.endpoint.address(), US_ASCII).trim();
        }
        Path left = Path.of("/dev/shm", nextName(own));
        Files.write(left, new byte[BYTES]);
        try (Side after = new Side(shared)) {
            assertThat(after.endpoint.address()).isNotEmpty();
        } finally {
            Files.deleteIfExists(left);
        }
    }

    /** The name of the next endpoint of this process: names end with a number that counts them. */
    private static String nextName(String address) {
        String name = address.substring(address.lastIndexOf('/') + 1);
        int number = name.lastIndexOf(':') + 1;
        return name.substring(0, number) + (Integer.parseInt(name.substring(number)) + 1);
    }

    /** The provider finds it by its address in memory; a message to one that had been unmapped would end the virtual machine. */
    @Test
    void oneThatHasLeftMayBeSentToByOthersOfTheProcess() throws Exception {
        OfiProvider shared = provider("shm");
        Path folder = Path.of("/dev/shm");
        int before = files(folder);
        try (Side stays = new Side(shared)) {
            try (Side late = new Side(shared)) {
                long toLeaver;
                byte[] address;
                try (Side leaver = new Side(shared)) {
                    address = leaver.endpoint.address();
                    toLeaver = stays.endpoint.connect(address);
                    start(stays, leaver, () -> stays.endpoint.inject(stays.memory.address(), 8, toLeaver));
                    leaver.endpoint.stop();
                }
                for (int message = 0; message < 100; message++) {
                    int unused = stays.endpoint.inject(stays.memory.address(), 8, toLeaver);
                    stays.poll();
                }
                long lateToLeaver = late.endpoint.connect(address);
                assertThat(late.endpoint.inject(late.memory.address(), 8, lateToLeaver))
                        .isLessThanOrEqualTo(0);
            }
            assertThat(files(folder)).as("segments in use").isGreaterThan(before + 1);
        }
        assertThat(files(folder)).as("segments afterwards").isEqualTo(before);
    }

    private static int files(Path folder) throws IOException {
        String own = String.valueOf(ProcessHandle.current().pid());
        try (Stream<Path> files = Files.list(folder)) {
            return (int) files.filter(each -> each.toString().contains(own)).count();
        }
    }

    @Test
    void theVersionIsToldAndAnAddressThatIsNoneIsRefused() throws Exception {
        assertThat(OfiLibrary.open().version()).matches("[12]\\.\\d+");
        OfiProvider missing = new OfiProvider("no-such-provider", "none", "none", "");
        assertThatThrownBy(() -> OfiEndpoint.open(OfiLibrary.open(), missing, 1))
                .isInstanceOf(OfiException.class)
                .hasMessageContaining("libfabric");
    }
}
