package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageStreamTest {
    private static byte[] bytes(Message... messages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MessageStream stream = new MessageStream(new ByteArrayInputStream(new byte[0]), bytes, bytes);
        for (Message message : messages) {
            stream.write(message);
        }
        return bytes.toByteArray();
    }

    private static MessageStream of(byte[] bytes) {
        return new MessageStream(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream(), () -> {});
    }

    @Test
    void messagesArriveAsTheyWere() throws Exception {
        Welcome welcome = new Welcome(
                "job",
                3,
                true,
                List.of(BitSet.valueOf(new long[] {5, 1L << 63})),
                BitSet.valueOf(new long[] {0, -1}),
                Duration.ofMillis(7));
        MessageStream stream = of(bytes(
                Message.of(Kind.END),
                Message.of(Kind.WELCOME, 2, -1, welcome.write()),
                Message.of(Kind.GONE, 1, 0, "ä")));
        assertThat(Objects.requireNonNull(stream.read()).kind()).isEqualTo(Kind.END);
        Message second = Objects.requireNonNull(stream.read());
        assertThat(second.rank()).isEqualTo(2);
        assertThat(second.number()).isEqualTo(-1);
        assertThat(Welcome.read(second.fields())).isEqualTo(welcome);
        assertThat(Objects.requireNonNull(stream.read()).text()).isEqualTo("ä");
        assertThat(stream.read()).isNull();
    }

    @Test
    @Fault(4)
    void aStreamThatEndsInAMessageIsAnError() throws Exception {
        byte[] whole = bytes(Message.of(Kind.GONE, 1, 2, "text"));
        for (int length = 1; length < whole.length; length++) {
            MessageStream stream = of(Arrays.copyOf(whole, length));
            assertThatThrownBy(stream::read).as("after %d bytes", length).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @Fault(3)
    @ValueSource(ints = {0, 12, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, MessageStream.LONGEST + 1})
    void anImpossibleLengthIsRefusedBeforeAnythingIsAllocated(int length) {
        byte[] bytes = ByteBuffer.allocate(64).putInt(length).array();
        assertThatThrownBy(() -> of(bytes).read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("" + length);
    }

    @Test
    @Fault(6)
    void anUnknownKindIsRefused() {
        byte[] bytes = ByteBuffer.allocate(17).putInt(13).put((byte) 99).array();
        assertThatThrownBy(() -> of(bytes).read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unknown kind 99");
    }

    @Test
    @Fault(10)
    void fieldsOfAnyBytesNeverReadBeyondThem() {
        RandomGenerator random = new Random(Seeds.next("MessageStreamTest"));
        for (int round = 0; round < 2000; round++) {
            byte[] body = new byte[random.nextInt(64)];
            random.nextBytes(body);
            Message message = new Message(Kind.WELCOME, 0, 0, body);
            try {
                Welcome.read(message.fields());
                Value.read(message.fields());
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("bytes");
            }
        }
    }

    @Test
    @Fault({31, 32})
    void aMessageDoesNotShowItsBody() {
        assertThat(Message.of(Kind.VALUES, 0, 1, "secret").toString()).doesNotContain("secret");
    }
}
