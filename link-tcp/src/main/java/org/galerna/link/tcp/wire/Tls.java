package org.galerna.link.tcp.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.galerna.link.CommunicationException;
import org.galerna.link.settings.SecretFile;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3. The rank that has opened a connection is its client. Who the other side is, the handshake of the job says, which
 * goes through TLS and proves something about this very session ({@link TlsWire#binding}): somebody in the middle has two
 * sessions, and a proof for one is worth nothing in the other. So no certificates have to be set up: each process makes
 * its own. Where a key store is given, certificates have to be signed by who it trusts besides, on both sides.
 */
public final class Tls implements Security {
    /** System property: a PKCS12 file with the key of the ranks and the certificates that they trust. */
    public static final String KEY_STORE = "galerna.tls.keystore";

    /** System property: a file whose first line is the password of the key store. */
    public static final String PASSWORD_FILE = "galerna.tls.password.file";

    private static final int PATIENCE = 4;

    private static final String PROTOCOL = "TLSv1.3";

    private final SSLContext context;
    private final boolean checksCertificates;

    private Tls(SSLContext context, boolean checksCertificates) {
        this.context = context;
        this.checksCertificates = checksCertificates;
    }

    /** What was made of files last: reading a key store takes long, and there may be many connections. */
    private record Known(Tls tls, List<Object> source) {}

    private static final AtomicReference<@Nullable Known> LAST = new AtomicReference<>();

    static Tls fromSystemProperties() {
        String file = System.getProperty(KEY_STORE, "").strip();
        String password = System.getProperty(PASSWORD_FILE, "").strip();
        List<Object> source = List.of(file, state(file), password, state(password));
        Known known = LAST.get();
        if (known != null && known.source.equals(source)) {
            return known.tls;
        }
        Tls made = read(file);
        LAST.set(new Known(made, source));
        return made;
    }

    /** Differs when the file has been changed. */
    private static Object state(String file) {
        if (file.isEmpty()) {
            return file;
        }
        try {
            BasicFileAttributes found = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
            return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        } catch (IOException unreadable) { // and whoever reads it says so
            return new Object();
        }
    }

    private static Tls read(String file) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            if (file.isEmpty()) {
                context.init(OwnCertificate.keyManagers(), new TrustManager[] {new Anybody()}, null);
            } else {
                char[] password = password();
                KeyStore store = load(Path.of(file), password);
                KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(store, password);
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(store);
                context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            }
            return new Tls(context, !file.isEmpty());
        } catch (IOException | GeneralSecurityException failed) {
            throw new CommunicationException(
                    "TLS cannot be used"
                            + (file.isEmpty() ? "" : " with the key store " + file + " (" + KEY_STORE + ")") + ": "
                            + reason(failed),
                    failed);
        }
    }

    private static String reason(Exception failed) {
        return switch (failed) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "you may not read it";
            default -> failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        };
    }

    private static KeyStore load(Path file, char[] password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        byte[] bytes = Files.readAllBytes(file);
        try {
            store.load(new ByteArrayInputStream(bytes), password);
        } catch (IOException unreadable) {
            throw new IOException(
                    unreadable.getCause() instanceof UnrecoverableKeyException
                            ? "its password is not the one in the file that " + PASSWORD_FILE + " names"
                            : "it is not in the format PKCS12",
                    unreadable);
        }
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                return store;
            }
        }
        throw new IOException("it has no private key");
    }

    private static char[] password() throws IOException {
        String file = System.getProperty(PASSWORD_FILE, "").strip();
        if (file.isEmpty()) {
            return new char[0];
        }
        List<String> lines = SecretFile.lines(Path.of(file), "the password (" + PASSWORD_FILE + ")");
        return lines.isEmpty() ? new char[0] : lines.getFirst().toCharArray();
    }

    @Override
    public String name() {
        return checksCertificates ? "TLS with a key store" : "TLS";
    }

    /** Its keys cost milliseconds of computing for each connection, and many peers may come at once. */
    @Override
    public int patience() {
        return PATIENCE;
    }

    @Override
    public Wire over(Wire socket, boolean initiator) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(initiator);
        engine.setEnabledProtocols(new String[] {PROTOCOL});
        if (!initiator) {
            engine.setNeedClientAuth(checksCertificates);
        }
        return new TlsWire(engine, socket);
    }

    /** Takes any certificate: it is the proof of the job's key that says who the other side is. */
    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {
            // proved later
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {
            // proved later
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {
            // proved later
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {
            // proved later
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // proved later
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // proved later
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
