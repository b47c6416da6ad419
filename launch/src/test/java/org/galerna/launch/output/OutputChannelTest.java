package org.galerna.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputChannelTest {
    private final ByteArrayOutputStream sink = new ByteArrayOutputStream();

    private OutputChannel channel(boolean labelled) {
        return new OutputChannel(sink, 4, labelled, StandardCharsets.UTF_8);
    }

    private String text() {
        return sink.toString(StandardCharsets.UTF_8);
    }

    @Test
    void partsOfALineWaitForItsEnd() {
        OutputChannel channel = channel(false);
        channel.of(0).print("a");
        channel.of(1).print("b\nc");
        assertThat(text()).isEqualTo("b\n");
        channel.of(0).println();
        assertThat(text()).isEqualTo("b\na\n");
        channel.close(Duration.ofSeconds(1));
        assertThat(text()).isEqualTo("b\na\nc");
    }

    @Test
    void aLongLineWaitsLongerForItsEndThanAPrompt() {
        OutputChannel channel = channel(false);
        channel.of(0).print("prompt");
        channel.of(1).print("x".repeat(10_000));
        long begin = System.nanoTime();
        Duration age = Duration.ofMillis(100);
        while (System.nanoTime() - begin < age.toNanos()) {
            Thread.onSpinWait();
        }
        channel.passOnPartialLines(age);
        assertThat(text()).isEqualTo("prompt");
    }

    @Test
    void aFlushOrAgePassesOnAPartOfALine() {
        OutputChannel channel = channel(false);
        PrintStream out = channel.of(0);
        out.print("ask");
        channel.passOnPartialLines(Duration.ofDays(1));
        assertThat(text()).isEmpty();
        channel.passOnPartialLines(Duration.ZERO);
        assertThat(text()).isEqualTo("ask");
        out.print("? ");
        out.flush();
        assertThat(text()).isEqualTo("ask? ");
    }

    @Test
    void everyLineIsLabelledOnce() {
        OutputChannel channel = channel(true);
        PrintStream out = channel.of(3);
        out.print("a\n\nb");
        out.flush();
        out.print("c");
        out.flush();
        out.print("d\ne\n");
        assertThat(text()).isEqualTo("[3] a\n[3] \n[3] bcd\n[3] e\n");
    }

    @Test
    void aLabelledLineThatIsStillOpenIsEndedBeforeAnotherBegins() {
        OutputChannel channel = channel(true);
        PrintStream zero = channel.of(0);
        zero.print("name? ");
        zero.flush();
        channel.of(1).println("one");
        zero.print("again? ");
        channel.close(Duration.ofSeconds(1));
        assertThat(text()).isEqualTo("[0] name? \n[1] one\n[0] again? \n");
    }

    @Test
    void anUnlabelledStreamCarriesBytesAsTheyAre() {
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7);
        }
        OutputChannel channel = channel(false);
        channel.of(2).write(bytes, 0, bytes.length);
        channel.of(2).write(200);
        channel.close(Duration.ofSeconds(1));
        assertThat(sink.toByteArray()).startsWith(bytes).hasSize(bytes.length + 1);
    }

    @Test
    void nothingComesAfterTheEnd() {
        OutputChannel channel = channel(true);
        channel.close(Duration.ofSeconds(1));
        channel.of(0).println("late");
        channel.close(Duration.ofSeconds(1));
        assertThat(text()).isEmpty();
    }

    @Test
    void linesOfManyThreadsDoNotMix() throws Exception {
        OutputChannel channel = channel(true);
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            PrintStream out = channel.of(rank);
            String letter = String.valueOf(rank);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 500; i++) {
                    out.print(letter.repeat(20));
                    out.print("-");
                    out.println(letter.repeat(20));
                }
            }));
        }
        for (Thread thread : threads) {
            channel.passOnPartialLines(Duration.ofDays(1));
            thread.join();
        }
        assertThat(text().lines())
                .hasSize(2000)
                .allSatisfy(line -> assertThat(line).matches("\\[(\\d)] \\1{20}-\\1{20}"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void longLinesOfManyThreadsDoNotMix(boolean labelled) throws Exception {
        int length = 200_000;
        OutputChannel channel = channel(labelled);
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            PrintStream out = channel.of(rank);
            String letter = String.valueOf(rank);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10; i++) {
                    out.println(letter.repeat(length));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        String label = labelled ? "\\[(\\d)] " : "(?=(\\d))";
        assertThat(text().lines())
                .hasSize(40)
                .allSatisfy(line -> assertThat(line.matches(label + "\\1{" + length + "}"))
                        .as(line.substring(0, 50))
                        .isTrue());
    }

    @Test
    void aLineWithoutAnEndTakesNoMoreThanTheBound() {
        OutputChannel channel = channel(false);
        PrintStream out = channel.of(0);
        byte[] part = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        int parts = 3 * OutputChannel.LONGEST_LINE / part.length;
        for (int index = 0; index < parts; index++) {
            out.write(part, 0, part.length);
            assertThat((index + 1L) * part.length - sink.size()).isLessThanOrEqualTo(OutputChannel.LONGEST_LINE);
        }
        assertThat(sink.size()).isGreaterThan(OutputChannel.LONGEST_LINE);
    }

    @Test
    @Fault(21)
    void aSinkThatIsStuckHoldsUpNeitherTheWatchNorTheEnd() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        OutputChannel channel = new OutputChannel(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        writing.countDown();
                        try {
                            release.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    }
                },
                1,
                false,
                StandardCharsets.UTF_8);
        Thread writer = Thread.ofPlatform().start(() -> channel.of(0).println("stuck"));
        writing.await();
        channel.passOnPartialLines(Duration.ZERO);
        channel.close(Duration.ofMillis(10));
        assertThat(writer.isAlive()).isTrue();
        release.countDown();
        writer.join();
    }

    @Test
    @Fault(21)
    void aReaderThatIsSlowGetsEverythingAndHoldsUpWhoWrites() throws Exception {
        int lines = 2000;
        BlockingQueue<String> pipe = new ArrayBlockingQueue<>(4);
        OutputChannel channel = new OutputChannel(new PipeSink(pipe), 2, true, StandardCharsets.UTF_8);
        AtomicInteger written = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            PrintStream out = channel.of(rank);
            writers.add(Thread.ofPlatform().daemon().start(() -> {
                for (int line = 0; line < lines; line++) {
                    out.println("line " + line);
                    written.incrementAndGet();
                }
            }));
        }
        int[] next = new int[2];
        StringBuilder text = new StringBuilder();
        for (int read = 0; read < 2 * lines; ) {
            // what nobody has read is in the pipe or on its way, and not in memory that grows
            assertThat(written.get() - read).isLessThan(100);
            text.append(Objects.requireNonNull(pipe.poll(60, TimeUnit.SECONDS), "nothing comes"));
            for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
                int rank = text.charAt(1) - '0';
                assertThat(text.substring(0, end)).isEqualTo("[" + rank + "] line " + next[rank]++);
                text.delete(0, end + 1);
                read++;
            }
        }
        for (Thread writer : writers) {
            writer.join();
        }
        channel.close(Duration.ofSeconds(1));
    }

    /** Waits while there is no room. */
    private static final class PipeSink extends OutputStream {
        private final BlockingQueue<String> pipe;

        PipeSink(BlockingQueue<String> pipe) {
            this.pipe = pipe;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                pipe.put(new String(bytes, offset, length, StandardCharsets.UTF_8));
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }
    }
}
