package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Optional;
import org.galerna.launch.program.CallRedirects;
import org.galerna.launch.rank.RankClassLoader;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source means the system class loader or what belongs to it: the class loader of
 * the calling rank has the program's classes, as the system class loader of a process has. Not meant to be called by hand.
 * Threads that work for no rank get the original.
 */
public final class RankLoading {
    private static final CallRedirects REDIRECTS = new CallRedirects();

    private RankLoading() {}

    // ---- in place of methods of the JDK

    /** For {@link ClassLoader#getSystemClassLoader}. */
    public static ClassLoader getSystemClassLoader() {
        RankContext rank = RankContext.exiting();
        return rank == null ? ClassLoader.getSystemClassLoader() : rank.loader();
    }

    /** For {@link ClassLoader#getSystemResource}. */
    public static @Nullable URL getSystemResource(String name) {
        return getSystemClassLoader().getResource(name);
    }

    /** For {@link ClassLoader#getSystemResourceAsStream}. */
    public static @Nullable InputStream getSystemResourceAsStream(String name) {
        return getSystemClassLoader().getResourceAsStream(name);
    }

    /** For {@link ClassLoader#getSystemResources}. */
    public static Enumeration<URL> getSystemResources(String name) throws IOException {
        return getSystemClassLoader().getResources(name);
    }

    /** For {@link ClassLoader#getParent}: that of the system class loader is the platform class loader. */
    public static @Nullable ClassLoader getParent(ClassLoader loader) {
        return loader instanceof RankClassLoader ? ClassLoader.getPlatformClassLoader() : loader.getParent();
    }

    /** For {@link Thread#getContextClassLoader}: the common pool's threads have the system class loader. */
    public static @Nullable ClassLoader getContextClassLoader(Thread thread) {
        return ownLoader(thread.getContextClassLoader());
    }

    /** For {@link URLClassLoader#newInstance(URL[])}. */
    public static URLClassLoader newInstance(URL[] places) {
        return new RankUrlClassLoader(places);
    }

    /** For {@link URLClassLoader#newInstance(URL[], ClassLoader)}. */
    public static URLClassLoader newInstance(URL[] places, @Nullable ClassLoader parent) {
        return new RankUrlClassLoader(places, parent);
    }

    /** For {@link URL#setURLStreamHandlerFactory}. */
    @SuppressWarnings("IdentifierName") // the JDK's name
    public static void setURLStreamHandlerFactory(@Nullable URLStreamHandlerFactory factory) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            URL.setURLStreamHandlerFactory(factory);
        } else {
            rank.urlHandlers().setFactory(factory);
        }
    }

    /** For {@link URL#of}. */
    public static URL of(URI address, @Nullable URLStreamHandler handler) throws MalformedURLException {
        String protocol = address.getScheme();
        return URL.of(address, handler == null && protocol != null ? handlerOf(protocol) : handler);
    }

    /** For {@link URI#toURL}. */
    @SuppressWarnings("IdentifierName") // the JDK's name
    public static URL toURL(URI address) throws MalformedURLException {
        String protocol = address.getScheme();
        URLStreamHandler handler = protocol == null ? null : handlerOf(protocol);
        return handler == null ? address.toURL() : URL.of(address, handler);
    }

    // ---- before calls of the JDK

    /** The rank's class loader, if the other one is the system class loader. */
    public static @Nullable ClassLoader ownLoader(@Nullable ClassLoader loader) {
        return loader != null
                        && (loader == ClassLoader.getSystemClassLoader()
                                || loader == RankLoading.class.getClassLoader())
                ? getSystemClassLoader()
                : loader;
    }

    /** The class loader that services are looked for with: none means the system class loader. */
    public static ClassLoader serviceLoader(@Nullable ClassLoader loader) {
        ClassLoader own = ownLoader(loader);
        return own == null ? getSystemClassLoader() : own;
    }

    /** The class loader that services are looked for with unless the program names one. */
    public static ClassLoader contextClassLoader() {
        return serviceLoader(Thread.currentThread().getContextClassLoader());
    }

    /** A native library to load, which no other class loader has loaded: the file itself or a copy. */
    public static String library(String file) {
        RankContext rank = RankContext.exiting();
        return rank == null || file == null ? file : rank.libraries().own(file);
    }

    /** What reads a {@code URL} of this text; null for what the JDK takes. */
    public static @Nullable URLStreamHandler handler(@Nullable String text) {
        return protocolOf(text).map(RankLoading::handlerOf).orElse(null);
    }

    /** Likewise for a text that may begin with what is in the context. */
    public static @Nullable URLStreamHandler handler(@Nullable URL context, @Nullable String text) {
        return protocolOf(text)
                .filter(protocol -> context == null || !protocol.equalsIgnoreCase(context.getProtocol()))
                .map(RankLoading::handlerOf)
                .orElse(null);
    }

    /** What reads a {@code URL} of this protocol; null for what the JDK takes. */
    public static @Nullable URLStreamHandler handlerOf(@Nullable String protocol) {
        if (protocol == null) {
            return null;
        }
        RankContext rank = RankContext.current();
        return rank == null ? null : rank.urlHandlers().find(protocol);
    }

    /** What stands before the first colon, if it can be a protocol (RFC 3986, 3.1). */
    private static Optional<String> protocolOf(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        String address = text.strip();
        if (address.regionMatches(true, 0, "url:", 0, 4)) {
            address = address.substring(4);
        }
        int length = 0;
        while (length < address.length() && isOfProtocol(address.charAt(length))) {
            length++;
        }
        return length > 0 && length < address.length() && address.charAt(length) == ':'
                ? Optional.of(address.substring(0, length))
                : Optional.empty();
    }

    private static boolean isOfProtocol(char letter) {
        return Character.isLetterOrDigit(letter) || letter == '+' || letter == '-' || letter == '.';
    }

    /** A class file that a class loader of the program defines, changed as those of the rank are. */
    public static byte[] rewritten(byte[] file, int start, int length) {
        // what is wrong with the range, the definition says itself
        boolean inside = file != null && start >= 0 && length >= 0 && start <= file.length - length;
        if (!inside) {
            throw new IndexOutOfBoundsException("a class file at " + start + " of " + length + " bytes");
        }
        return rewritten(start == 0 && length == file.length ? file : Arrays.copyOfRange(file, start, start + length));
    }

    /** Likewise a whole array. */
    public static byte[] rewritten(byte[] file) {
        return file == null ? file : REDIRECTS.apply(file);
    }
}
