package org.galerna.link.tcp.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.tcp.ScriptedWire;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static final int ROUND = 3;
    private static final int SIZE = 4;
    private static final Hello HELLO = new Hello(Hello.CONNECT, ROUND, 1, 2, SIZE, 0);
    private static final Authenticator KEY = new Authenticator("", key(7));

    private final ScriptedWire toInitiator = new ScriptedWire();
    private final ScriptedWire toAcceptor = new ScriptedWire();
    private final AtomicInteger decisions = new AtomicInteger();
    private int verdict = Handshake.ACCEPTED;

    private static byte[] key(int value) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) value);
        return key;
    }

    private Handshake.Acceptor acceptor() {
        return new Handshake.Acceptor(KEY, 2, SIZE, ROUND, hello -> {
            decisions.incrementAndGet();
            return verdict;
        });
    }

    private static Handshake.Initiator initiator() {
        return new Handshake.Initiator(KEY, HELLO);
    }

    /** Lets both go on until neither can. */
    private void run(Handshake.Initiator initiator, Handshake.Acceptor acceptor) throws IOException {
        boolean one = false;
        boolean other = false;
        for (int round = 0; round < 2000 && !(one && other); round++) {
            one = one || initiator.advance(toInitiator);
            toAcceptor.add(toInitiator.takeWritten());
            other = other || acceptor.advance(toAcceptor);
            toInitiator.add(toAcceptor.takeWritten());
        }
        assertThat(one && other).as("both are through").isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Handshake.ACCEPTED, Handshake.LATER, Handshake.LEAVING, Handshake.GIVEN_UP})
    void tellsTheInitiatorWhatTheAcceptorHasDecided(int decided) throws IOException {
        verdict = decided;
        Handshake.Initiator initiator = initiator();
        Handshake.Acceptor acceptor = acceptor();
        run(initiator, acceptor);
        assertThat(initiator.verdict()).isEqualTo(decided);
        assertThat(acceptor.verdict()).isEqualTo(decided);
        assertThat(acceptor.hello()).isEqualTo(HELLO);
        assertThat(decisions).hasValue(1);
    }

    @Test
    @Fault(4)
    void succeedsWhereverTheBytesAreCut() throws IOException {
        Random random = new Random(Seeds.next("succeedsWhereverTheBytesAreCut"));
        for (int round = 0; round < 200; round++) {
            toInitiator.cutBy(random);
            toAcceptor.cutBy(random);
            Handshake.Initiator initiator = initiator();
            run(initiator, acceptor());
            assertThat(initiator.verdict()).isZero();
        }
    }

    @Test
    @Fault(4)
    void takesNoByteThatFollows() throws IOException {
        Handshake.Initiator initiator = initiator();
        initiator.advance(toInitiator);
        Handshake.Acceptor acceptor = acceptor();
        acceptor.advance(toAcceptor.add(toInitiator.takeWritten()));
        toInitiator.add(toAcceptor.takeWritten());
        initiator.advance(toInitiator);
        byte[] proofAndMore = Arrays.copyOf(toInitiator.takeWritten(), Authenticator.BYTES + 5);
        assertThat(acceptor.advance(toAcceptor.add(proofAndMore))).isTrue();
        byte[] verdictAndMore = Arrays.copyOf(toAcceptor.takeWritten(), 40 + 9);
        assertThat(initiator.advance(toInitiator.add(verdictAndMore))).isTrue();
        assertThat(left(toAcceptor)).isEqualTo(5);
        assertThat(left(toInitiator)).isEqualTo(9);
    }

    private static int left(ScriptedWire wire) {
        return wire.read(java.nio.ByteBuffer.allocate(100));
    }

    @Test
    @Fault({7, 30})
    void eachSideRefusesTheOtherOneWithAnotherKey() {
        assertThatExceptionOfType(WrongProofException.class)
                .as("noticed by the initiator")
                .isThrownBy(() -> run(new Handshake.Initiator(new Authenticator("", key(8)), HELLO), acceptor()));
        assertThat(decisions).hasValue(0);
    }

    @Test
    @Fault(7)
    void theAcceptorRefusesEveryChangeOfTheProof() throws IOException {
        for (int bit = 0; bit < Authenticator.BYTES * 8; bit += 7) {
            Handshake.Initiator initiator = initiator();
            Handshake.Acceptor acceptor = acceptor();
            ScriptedWire in = new ScriptedWire();
            ScriptedWire out = new ScriptedWire();
            initiator.advance(out);
            acceptor.advance(in.add(out.takeWritten()));
            initiator.advance(out.add(in.takeWritten()));
            byte[] proof = out.takeWritten();
            proof[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(WrongProofException.class).isThrownBy(() -> acceptor.advance(in.add(proof)));
            assertThat(in.written()).as("answer to a wrong proof").isEmpty();
        }
        assertThat(decisions).hasValue(0);
    }

    @Test
    @Fault(7)
    void aRecordedHandshakeIsWorthNothing() throws IOException {
        Handshake.Initiator initiator = initiator();
        Handshake.Acceptor recorded = acceptor();
        initiator.advance(toInitiator);
        byte[] greeting = toInitiator.takeWritten();
        recorded.advance(toAcceptor.add(greeting));
        initiator.advance(toInitiator.add(toAcceptor.takeWritten()));
        byte[] proof = toInitiator.takeWritten();
        assertThat(recorded.advance(toAcceptor.add(proof))).isTrue();

        Handshake.Acceptor again = acceptor();
        ScriptedWire replay = new ScriptedWire().add(greeting).add(proof);
        assertThatExceptionOfType(WrongProofException.class).isThrownBy(() -> again.advance(replay));
        assertThat(decisions).hasValue(1);
    }

    @Test
    @Fault(7)
    void anAcceptorsOwnProofDoesNotServeAgainstIt() throws IOException {
        Handshake.Acceptor acceptor = acceptor();
        acceptor.advance(toAcceptor.add(HELLO.encode(Authenticator.random())));
        byte[] reflected = Arrays.copyOfRange(toAcceptor.takeWritten(), 32, 64);
        assertThatExceptionOfType(WrongProofException.class)
                .isThrownBy(() -> acceptor.advance(toAcceptor.add(reflected)));
    }

    @ParameterizedTest
    @Fault(6)
    @CsvSource({
        "0, 47, another protocol", // GET / HTTP/1.1 and the like
        "8, 2, version 2",
        "9, 1, version 257",
        "10, 0, no sense",
        "10, 9, no sense",
        "11, 1, no sense",
        "12, 4, somebody else",
        "15, -1, no sense",
        "16, 2, no sense",
        "16, 9, no sense",
        "19, -1, no sense",
        "20, 3, somebody else",
        "23, 127, no sense",
        "24, 5, somebody else",
        "27, -1, no sense",
        "31, -1, no sense"
    })
    void refusesGreetingsThatAreWrongInOneByte(int offset, int value, String reason) {
        byte[] greeting = HELLO.encode(Authenticator.random());
        greeting[offset] = (byte) value;
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> acceptor().advance(toAcceptor.add(greeting)))
                .withMessageContaining(reason.replace("no sense", "makes no sense"));
        assertThat(toAcceptor.written()).as("answer").isEmpty();
    }

    @Test
    @Fault(6)
    void namesTheOrderOfBytesThatIsWrong() {
        byte[] greeting = HELLO.encode(Authenticator.random());
        for (int each = 0; each < 4; each++) {
            byte swapped = greeting[each];
            greeting[each] = greeting[7 - each];
            greeting[7 - each] = swapped;
        }
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> acceptor().advance(toAcceptor.add(greeting)))
                .withMessageContaining("in the other order");
    }

    @Test
    @Fault(4)
    void endsWhereverTheStreamDoes() throws IOException {
        Handshake.Initiator initiator = initiator();
        initiator.advance(toInitiator);
        byte[] greeting = toInitiator.takeWritten();
        for (int length = 0; length < greeting.length; length++) {
            ScriptedWire cut =
                    new ScriptedWire().add(Arrays.copyOf(greeting, length)).end();
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> acceptor().advance(cut));
            assertThat(cut.written()).isEmpty();
        }
    }

    @Test
    @Fault({31, 32})
    void theKeyNeverTravels() throws IOException {
        byte[] secret = new byte[32];
        new Random(5).nextBytes(secret);
        Handshake.Initiator initiator = new Handshake.Initiator(new Authenticator("", secret), HELLO);
        Handshake.Acceptor acceptor = new Handshake.Acceptor(new Authenticator("", secret), 2, SIZE, ROUND, hello -> 0);
        String sent = "";
        for (boolean over = false; !over; ) {
            over = initiator.advance(toInitiator);
            byte[] one = toInitiator.takeWritten();
            acceptor.advance(toAcceptor.add(one));
            byte[] other = toAcceptor.takeWritten();
            toInitiator.add(other);
            sent += new String(one, ISO_8859_1) + new String(other, ISO_8859_1);
        }
        assertThat(sent).hasSize(Hello.BYTES + 64 + 32 + 40);
        for (int from = 0; from + 4 <= secret.length; from++) {
            assertThat(sent.contains(new String(secret, from, 4, ISO_8859_1)))
                    .as("four bytes of the key from the one of number %s", from)
                    .isFalse();
        }
    }

    /** What an initiator and an acceptor have said to each other. */
    private static List<byte[]> conversation() throws IOException {
        HandshakeTest test = new HandshakeTest();
        Handshake.Initiator initiator = initiator();
        Handshake.Acceptor acceptor = test.acceptor();
        initiator.advance(test.toInitiator);
        byte[] greeting = test.toInitiator.takeWritten();
        acceptor.advance(test.toAcceptor.add(greeting));
        byte[] challenge = test.toAcceptor.takeWritten();
        initiator.advance(test.toInitiator.add(challenge));
        byte[] proof = test.toInitiator.takeWritten();
        acceptor.advance(test.toAcceptor.add(proof));
        byte[] verdict = test.toAcceptor.takeWritten();
        return List.of(greeting, joined(greeting, proof), challenge, joined(challenge, verdict));
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    @Test
    @Fault(10)
    void whateverComesIsRefused() throws IOException {
        new Fuzzer(conversation()).shortRun("whateverComesIsRefused", 20_000, HandshakeTest::readFuzzed);
    }

    @Test
    @Tag("slow")
    @Fault(10)
    void whateverComesForLongIsRefused() throws IOException {
        new Fuzzer(conversation()).longRun("whateverComesForLongIsRefused", HandshakeTest::readFuzzed);
    }

    private static void readFuzzed(byte[] bytes) {
        HandshakeTest test = new HandshakeTest();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () -> test.acceptor().advance(test.toAcceptor.add(bytes).end()));
        assertThat(test.decisions).as("strangers that were let in").hasValue(0);
        Handshake.Initiator initiator = initiator();
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
            if (!initiator.advance(test.toInitiator)) {
                initiator.advance(test.toInitiator.add(bytes).end());
            }
        });
    }
}
