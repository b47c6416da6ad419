package org.galerna.link.tcp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A key that lives as long as the process, with a certificate that it has signed itself. TLS cannot do without one, and
 * the JDK can make keys but no certificates; so its bytes are written here, as RFC 5280 has them: the least that is a
 * certificate of version 3, with an elliptic key on the curve P-256.
 */
public final class OwnCertificate {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT = 0x06;
    private static final int UTF8 = 0x0c;
    private static final int TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;

    /** 1.2.840.10045.4.3.2: a signature by an elliptic curve over SHA-256. */
    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};

    /** 2.5.4.3: the common name. */
    private static final byte[] COMMON_NAME = {0x55, 4, 3};

    private static final byte[] NAME = "galerna".getBytes(US_ASCII);
    private static final int SERIAL_BITS = 128;
    private static final int VALID_DAYS = 3650;
    private static final DateTimeFormatter TIMES =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private OwnCertificate() {}

    /** Of this process; made when the first link needs it. */
    private static final class Holder {
        static final KeyManager[] MANAGERS = make();

        private static KeyManager[] make() {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                KeyPair pair = generator.generateKeyPair();
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("rank", pair.getPrivate(), new char[0], new Certificate[] {certify(pair)});
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(store, new char[0]);
                return factory.getKeyManagers();
            } catch (GeneralSecurityException | IOException impossible) { // every Java platform has all of that
                throw new IllegalStateException("no key for TLS can be made", impossible);
            }
        }
    }

    /** What shows the certificate to peers. */
    static KeyManager[] keyManagers() {
        return Holder.MANAGERS.clone();
    }

    /** A certificate for an elliptic key, signed with it. */
    public static Certificate certify(KeyPair pair) throws GeneralSecurityException {
        Instant now = Instant.now();
        byte[] algorithm = der(SEQUENCE, der(OBJECT, ECDSA_WITH_SHA256));
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT, COMMON_NAME), der(UTF8, NAME))));
        byte[] validity = der(
                SEQUENCE,
                time(now.minus(1, ChronoUnit.DAYS)), // clocks differ
                time(now.plus(VALID_DAYS, ChronoUnit.DAYS)));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(
                        INTEGER,
                        new BigInteger(SERIAL_BITS, new SecureRandom())
                                .add(BigInteger.ONE)
                                .toByteArray()),
                algorithm,
                name,
                validity,
                name,
                pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(content);
        byte[] certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] time(Instant instant) {
        return der(TIME, TIMES.format(instant).getBytes(US_ASCII));
    }

    /** A value: its tag, its length, and its parts. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        int length = body.size();
        if (length < 0x80) {
            value.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int zeros = digits[0] == 0 ? 1 : 0;
            value.write(0x80 | (digits.length - zeros));
            value.write(digits, zeros, digits.length - zeros);
        }
        value.writeBytes(body.toByteArray());
        return value.toByteArray();
    }
}
