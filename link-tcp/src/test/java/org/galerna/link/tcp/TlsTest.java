package org.galerna.link.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.handshake.WrongProofException;
import org.galerna.link.tcp.wire.OwnCertificate;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.tcp.wire.Tls;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What TLS does for a connection, and what becomes of those that do it wrong. */
class TlsTest {
    private static final Hello HELLO = new Hello(Hello.CONNECT, 0, 1, 0, 2, 0);
    private static final Authenticator KEY = new Authenticator("", new byte[32]);

    @AfterEach
    void forget() {
        System.clearProperty(Security.PROPERTY);
        System.clearProperty(Tls.KEY_STORE);
        System.clearProperty(Tls.PASSWORD_FILE);
    }

    private static Security tls() {
        System.setProperty(Security.PROPERTY, "true");
        return Security.fromSystemProperties();
    }

    /** Two ends of a connection, and what is between them. */
    private static final class Line {
        final ScriptedWire near = new ScriptedWire();
        final ScriptedWire far = new ScriptedWire();
        final Wire client;
        final Wire server;
        final Handshake.Initiator initiator = new Handshake.Initiator(KEY, HELLO);
        final Handshake.Acceptor acceptor = new Handshake.Acceptor(KEY, 0, 2, 0, _ -> Handshake.ACCEPTED);

        Line(Security client, Security server) {
            this.client = client.over(near, true);
            this.server = server.over(far, false);
        }

        byte[] forward() {
            byte[] bytes = near.takeWritten();
            far.add(bytes);
            return bytes;
        }

        byte[] back() {
            byte[] bytes = far.takeWritten();
            near.add(bytes);
            return bytes;
        }

        Line shakeHands() throws IOException {
            boolean one = false;
            boolean other = false;
            for (int round = 0; round < 100_000 && !(one && other); round++) {
                one = one || initiator.advance(client);
                forward();
                other = other || acceptor.advance(server);
                back();
            }
            assertThat(one && other).as("both are through").isTrue();
            return this;
        }
    }

    private static byte[] transfer(Wire from, Runnable carry, Wire to, byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        ByteBuffer target = ByteBuffer.allocate(bytes.length);
        for (int round = 0; round < 1_000_000 && target.hasRemaining(); round++) {
            from.write(new ByteBuffer[] {source}, 0, 1);
            from.flush();
            carry.run();
            assertThat(to.read(target)).isNotNegative();
        }
        return target.array();
    }

    @Test
    @Fault(4)
    void carriesBytesBothWaysWhereverTheyAreCut() throws IOException {
        Random random = new Random(Seeds.next("carriesBytesBothWaysWhereverTheyAreCut"));
        Security tls = tls();
        for (int round = 0; round < 10; round++) {
            Line line = new Line(tls, tls);
            line.near.cutBy(random);
            line.far.cutBy(random);
            line.shakeHands();
            byte[] there = Payload.of(round, random.nextInt(100_000));
            assertThat(transfer(line.client, line::forward, line.server, there)).isEqualTo(there);
            byte[] back = Payload.of(round + 1, random.nextInt(100_000));
            assertThat(transfer(line.server, line::back, line.client, back)).isEqualTo(back);
        }
    }

    @Test
    @Fault(30)
    void nothingOfItCanBeReadOnTheWay() throws IOException {
        Security tls = tls();
        Line line = new Line(tls, tls).shakeHands();
        String secret = "what only the ranks may know";
        ByteBuffer source = ByteBuffer.wrap(secret.getBytes(ISO_8859_1));
        assertThat(line.client.write(source)).isEqualTo(secret.length());
        assertThat(new String(line.forward(), ISO_8859_1)).isNotEmpty().doesNotContain(secret);
        ByteBuffer target = ByteBuffer.allocate(secret.length());
        assertThat(line.server.read(target)).isEqualTo(secret.length());
        assertThat(new String(target.array(), ISO_8859_1)).isEqualTo(secret);
    }

    @Test
    @Fault(30)
    void bothEndsKnowWhatNoOtherSessionHas() throws IOException {
        Security tls = tls();
        Line one = new Line(tls, tls).shakeHands();
        Line other = new Line(tls, tls).shakeHands();
        assertThat(one.client.binding()).hasSize(32).isEqualTo(one.server.binding());
        assertThat(other.client.binding()).isNotEqualTo(one.client.binding());
    }

    /** It has a session with either side, and passes on what they say to each other, proofs included. */
    @Test
    @Fault({7, 30})
    void somebodyInTheMiddleProvesNothing() throws IOException {
        Security tls = tls();
        Line left = new Line(tls, tls); // the initiator and the man in the middle
        Line right = new Line(tls, tls); // the man in the middle and the acceptor
        assertThatExceptionOfType(WrongProofException.class).isThrownBy(() -> {
            for (int round = 0; round < 1000; round++) {
                assertThat(left.initiator.advance(left.client)).isFalse();
                left.forward();
                pass(left.server, right.client);
                left.back();
                right.forward();
                assertThat(right.acceptor.advance(right.server)).isFalse();
                right.back();
                pass(right.client, left.server);
                left.back();
            }
        });
    }

    private static void pass(Wire from, Wire to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1000);
        from.read(bytes);
        bytes.flip();
        do {
            to.write(bytes);
        } while (bytes.hasRemaining() && to.binding().length > 0);
    }

    @Test
    @Fault(1)
    void plainPeersAreToldFromThoseWithTls() {
        Line toTls = new Line(Security.NONE, tls());
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(toTls::shakeHands)
                .withMessageStartingWith("TLS with it fails: ");
        Line toPlain = new Line(tls(), Security.NONE);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(toPlain::shakeHands)
                .withMessageContaining("it speaks TLS, and this side does not")
                .withMessageContaining(Security.PROPERTY);
    }

    @Test
    @Fault(4)
    void everyTruncationOfTheHandshakeIsItsEnd() throws IOException {
        Security tls = tls();
        Line whole = new Line(tls, tls);
        assertThat(whole.initiator.advance(whole.client)).isFalse();
        byte[] greeting = whole.forward();
        for (int length = 0; length < greeting.length; length += 7) {
            Line cut = new Line(tls, tls);
            cut.far.add(Arrays.copyOf(greeting, length)).end();
            assertThatExceptionOfType(EOFException.class)
                    .as("%d bytes", length)
                    .isThrownBy(() -> cut.acceptor.advance(cut.server));
        }
    }

    @Test
    @Fault(4)
    void aTruncatedRecordGivesNothing() throws IOException {
        Security tls = tls();
        Line line = new Line(tls, tls).shakeHands();
        line.client.write(ByteBuffer.wrap(new byte[1000]));
        byte[] record = line.near.takeWritten();
        line.far.add(Arrays.copyOf(record, record.length - 1)).end();
        assertThat(line.server.hasBuffered()).isFalse();
        assertThat(line.server.read(ByteBuffer.allocate(2000))).isEqualTo(-1);
    }

    @Test
    @Fault({1, 6})
    void aByteThatWasChangedOnTheWayIsNoticed() throws IOException {
        Security tls = tls();
        Random random = new Random(Seeds.next("aByteThatWasChangedOnTheWayIsNoticed"));
        for (int round = 0; round < 20; round++) {
            Line line = new Line(tls, tls).shakeHands();
            line.client.write(ByteBuffer.wrap(new byte[1000]));
            byte[] record = line.near.takeWritten();
            record[5 + random.nextInt(record.length - 5)] ^= (byte) (1 << random.nextInt(8));
            line.far.add(record);
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> line.server.read(ByteBuffer.allocate(2000)))
                    .withMessageStartingWith("its bytes are not TLS as agreed upon: ");
        }
    }

    // ---- key stores

    private static Path keyStore(Path folder, String name, Certificate... trusted) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair pair = generator.generateKeyPair();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "rank", pair.getPrivate(), "secret".toCharArray(), new Certificate[] {OwnCertificate.certify(pair)});
        for (int each = 0; each < trusted.length; each++) {
            store.setCertificateEntry("trusted-" + each, trusted[each]);
        }
        Path file = folder.resolve(name);
        try (OutputStream bytes = Files.newOutputStream(file)) {
            store.store(bytes, "secret".toCharArray());
        }
        password(folder, "secret\n");
        return file;
    }

    private static Path password(Path folder, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Security with(Path store) {
        System.setProperty(Tls.KEY_STORE, store.toString());
        System.setProperty(Tls.PASSWORD_FILE, store.resolveSibling("password").toString());
        return tls();
    }

    @Test
    void ranksOfOneKeyStoreTrustEachOther(@TempDir Path folder) throws Exception {
        Security tls = with(keyStore(folder, "ranks.p12"));
        assertThat(new Line(tls, tls).shakeHands().initiator.verdict()).isEqualTo(Handshake.ACCEPTED);
    }

    @ParameterizedTest
    @Fault(30)
    @ValueSource(booleans = {true, false})
    void aCertificateThatNobodyTrustsIsRefused(boolean own, @TempDir Path folder) throws Exception {
        Security careful = with(keyStore(folder, "ranks.p12"));
        Security other;
        if (own) { // made by the process itself
            System.clearProperty(Tls.KEY_STORE);
            other = tls();
        } else {
            other = with(keyStore(folder, "others.p12"));
        }
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(new Line(careful, other)::shakeHands)
                .withMessageStartingWith("TLS with it fails: ");
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(new Line(other, careful)::shakeHands)
                .withMessageStartingWith("TLS with it fails: ");
    }

    @Test
    @Fault(8)
    void aKeyStoreThatCannotBeUsedIsNamed(@TempDir Path folder) throws Exception {
        Path store = keyStore(folder, "ranks.p12");
        password(folder, "wrong\n");
        refused(store)
                .withMessageEndingWith(": its password is not the one in the file that %s names", Tls.PASSWORD_FILE);
        refused(folder.resolve("none.p12")).withMessageEndingWith(": there is no such file");
        Files.writeString(folder.resolve("garbage.p12"), "no key store at all");
        refused(folder.resolve("garbage.p12")).withMessageEndingWith(": it is not in the format PKCS12");
        Files.writeString(folder.resolve("empty.p12"), "");
        refused(folder.resolve("empty.p12")).withMessageEndingWith(": it is not in the format PKCS12");
        Path open = password(folder, "secret\n");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        refused(store).withMessageEndingWith("chmod o-r %s", open);
        Files.delete(open);
        refused(store).withMessageContaining("there is no file %s with the password", open);
        System.setProperty(Security.PROPERTY, "maybe");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(Security::fromSystemProperties)
                .withMessageContaining("galerna.tls must be true or false, not \"maybe\"");
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<CommunicationException> refused(Path store) {
        return assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> with(store))
                .withMessageContaining(store.toString())
                .withMessageContaining(Tls.KEY_STORE);
    }

    // ---- links

    @Test
    @Fault(8)
    void ranksWithAndWithoutTlsAreToldSoBeforeTheyTalk() {
        List<InProcessWireup> job = TestJobs.of(2);
        CountDownLatch first = new CountDownLatch(1);
        RankThreads.run(2, me -> {
            InProcessWireup wireup = job.get(me);
            if (me == 1) {
                first.await();
                System.clearProperty(Security.PROPERTY);
            } else {
                System.setProperty(Security.PROPERTY, "true");
            }
            try (Link link = LinkProvider.named("tcp").open(wireup, LinkOptions.DEFAULT)) {
                first.countDown();
                wireup.fence();
                assertThat(link.unreachable(1 - me))
                        .hasValueSatisfying(reason -> assertThat(reason)
                                .contains("uses TLS", "uses no TLS", "galerna.tls", "have to be the same"));
                wireup.fence();
            }
        });
    }
}
