package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ranks, agents and the launcher say to each other, made up. */
class RendezvousFuzzTest {
    private static List<byte[]> genuine() {
        Welcome welcome = new Welcome(
                "job",
                3,
                true,
                List.of(BitSet.valueOf(new long[] {5, 1L << 63})),
                BitSet.valueOf(new long[] {0, -1}),
                Duration.ofMillis(7));
        List<Value> values = List.of(new Value(0, "key", new byte[40]), new Value(1, "", new byte[0]));
        List<byte[]> all = new ArrayList<>();
        for (Message each : List.of(
                Message.of(Kind.HELLO, 1, 0, MessageStream.VERSION),
                Message.of(Kind.WELCOME, 2, -1, welcome.write()),
                Message.of(Kind.FENCE, 0, 4, Value.write(values)),
                Message.of(
                        Kind.FENCED,
                        0,
                        4,
                        CommonValue.write(List.of(
                                new CommonValue(
                                        "galerna.host", values.getFirst().bytes()),
                                new CommonValue("key", null)))),
                Message.of(Kind.GONE, 1, 0, "it has been killed"),
                Message.of(Kind.END))) {
            all.add(bytes(each));
        }
        return all;
    }

    private static byte[] bytes(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new MessageStream(new ByteArrayInputStream(new byte[0]), bytes, bytes).write(message);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void read(byte[] bytes) {
        MessageStream stream =
                new MessageStream(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream(), () -> {});
        try {
            Message message = stream.read();
            while (message != null) {
                readBody(message);
                message = stream.read();
            }
        } catch (IOException refused) {
            assertThat(bytes).as("refused: %s", refused.getMessage()).isNotEmpty();
        }
    }

    private static void readBody(Message message) {
        try {
            switch (message.kind()) {
                case WELCOME -> assertThat(Welcome.read(message.fields()).job()).isNotNull();
                case FENCED -> {
                    CommonValue.read(message.fields())
                            .forEach(value ->
                                    assertThat(value.key().length()).isLessThanOrEqualTo(message.body().length));
                }
                case FENCE ->
                    Value.read(message.fields())
                            .forEach(value ->
                                    assertThat(value.bytes().length).isLessThanOrEqualTo(message.body().length));
                default -> assertThat(message.text()).isNotNull();
            }
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).as("what is wrong with it").isNotBlank();
        }
    }

    @Test
    @Fault(10)
    void whateverComesIsReadOrRefused() {
        new Fuzzer(genuine()).shortRun("RendezvousFuzzTest", 30_000, RendezvousFuzzTest::read);
    }

    @Test
    @Tag("slow")
    @Fault(10)
    void whateverComesForLongIsReadOrRefused() {
        new Fuzzer(genuine()).longRun("RendezvousFuzzTest", RendezvousFuzzTest::read);
    }
}
