package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.Stream;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArraysTest {
    private static final int LENGTH = 200_003;
    private static final int OFFSET = 3;

    private SocketPair pair;

    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
            pair = new SocketPair(client, listener.accept());
        }
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    static Stream<Arguments> arrays() {
        return Stream.of(
                        byte[].class,
                        short[].class,
                        char[].class,
                        int[].class,
                        long[].class,
                        float[].class,
                        double[].class,
                        boolean[].class)
                .flatMap(type -> Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
                        .flatMap(order -> Stream.of(true, false).map(fast -> Arguments.of(type, order, fast))));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void arriveAsTheyWere(Class<?> type, ByteOrder order, boolean fast) throws Exception {
        if (fast) {
            pair.warmUp(true);
        }
        Object sent = random(type, Seeds.next("ArraysTest"));
        SocketPair.Blocked sender = SocketPair.blocked(false, () -> {
            write(FastOutput.of(pair.client(), order), sent);
            return "sent";
        });
        Object received = Array.newInstance(type.getComponentType(), LENGTH);
        read(FastInput.of(pair.server(), order), received);
        assertThat(sender.outcome()).isEqualTo("sent");
        for (int index = 0; index < OFFSET; index++) {
            Array.set(sent, index, Array.get(received, index)); // which nobody touches
        }
        assertThat(received).isEqualTo(sent);
    }

    private static void write(FastOutput out, Object sent) throws Exception {
        FastOutput.class
                .getMethod("write", sent.getClass(), int.class, int.class)
                .invoke(out, sent, OFFSET, LENGTH - OFFSET);
    }

    private static void read(FastInput in, Object received) throws Exception {
        FastInput.class
                .getMethod("read", received.getClass(), int.class, int.class)
                .invoke(in, received, OFFSET, LENGTH - OFFSET);
    }

    private static Object random(Class<?> type, long seed) {
        Random random = new Random(seed);
        Object array = Array.newInstance(type.getComponentType(), LENGTH);
        for (int index = 0; index < LENGTH; index++) {
            switch (array) {
                case byte[] all -> all[index] = (byte) random.nextInt();
                case short[] all -> all[index] = (short) random.nextInt();
                case char[] all -> all[index] = (char) random.nextInt();
                case int[] all -> all[index] = random.nextInt();
                case long[] all -> all[index] = random.nextLong();
                case float[] all -> all[index] = random.nextFloat();
                case double[] all -> all[index] = random.nextDouble();
                case boolean[] all -> all[index] = random.nextBoolean();
                default -> throw new AssertionError(type);
            }
        }
        return array;
    }

    @Test
    void areReadByStreamsAndWrittenByThem() throws Exception {
        FastOutput.of(pair.client(), ByteOrder.BIG_ENDIAN).write(new int[] {1, -2, 3}, 1, 2);
        DataInputStream in = new DataInputStream(pair.serverIn());
        assertThat(in.readInt()).isEqualTo(-2);
        assertThat(in.readInt()).isEqualTo(3);
        new DataOutputStream(pair.serverOut()).writeDouble(1.5);
        double[] one = new double[1];
        FastInput.of(pair.client(), ByteOrder.BIG_ENDIAN).read(one, 0, 1);
        assertThat(one).containsExactly(1.5);
    }

    @Test
    void memoryIsSentAsItIs() throws Exception {
        pair.warmUp(true);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocate(100);
            sent.fill((byte) 7);
            MemorySegment received = arena.allocate(100);
            FastOutput.of(pair.client()).write(sent, 10, 80);
            FastInput.of(pair.server()).read(received, 20, 80);
            assertThat(received.asSlice(20, 80).mismatch(sent.asSlice(10, 80))).isEqualTo(-1);
            assertThat(received.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 19))
                    .isZero();
        }
    }

    @Test
    void wrongOnesAreRefused() throws Exception {
        FastOutput out = FastOutput.of(pair.client());
        assertThatThrownBy(() -> out.write(new int[3], 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        pair.client().close();
        FastInput in = FastInput.of(pair.server());
        assertThatThrownBy(() -> in.read(new int[3], 0, 3)).isInstanceOf(EOFException.class);
    }
}
