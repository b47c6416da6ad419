package org.galerna.mpj;

import java.io.ObjectInputFilter;
import org.galerna.mpj.Options.SerialOptions;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes a message of objects may bring, and how much of them. One filter serves one message and
 * remembers why it refused it.
 *
 * <p>Refused are, in this order: what exceeds a limit; what the patterns of {@link Options#SERIAL_FILTER} refuse;
 * dynamic proxies; classes of the JDK that are not plain values; and classes of the application, if there are patterns
 * and none of them allows the class, or else if it belongs to a library whose classes are known to run code when they
 * are deserialized.
 *
 * <p>Besides the limits that are set, an array or collection may not claim more elements than a message of its size can
 * hold: a length alone cannot make the receiver allocate gigabytes.
 */
final class SerialFilter implements ObjectInputFilter {
    /** Packages of the JDK whose classes are plain values, containers and exceptions. */
    private static final String[] PLAIN_PACKAGES = {
        "java.lang",
        "java.math",
        "java.text",
        "java.time",
        "java.time.chrono",
        "java.util",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.concurrent.locks",
        "java.util.regex",
        "java.awt",
        "java.awt.geom",
    };

    private static final String[] PLAIN_CLASSES = {
        "java.io.File",
        "java.net.Inet4Address",
        "java.net.Inet6Address",
        "java.net.InetAddress",
        "java.net.InetSocketAddress",
        "java.net.URI",
    };

    /** Prefixes of platform classes; none of them belongs to an application. */
    private static final String[] PLATFORM = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    /** Where the published chains of code-running classes start and end. */
    private static final String[] DANGEROUS = {
        "bsh.",
        "clojure.",
        "com.mchange.",
        "com.rometools.rome.feed.impl.",
        "com.vaadin.",
        "javassist.",
        "net.sf.json.",
        "org.apache.click.",
        "org.apache.commons.beanutils.",
        "org.apache.commons.collections.functors.",
        "org.apache.commons.collections.keyvalue.",
        "org.apache.commons.collections4.functors.",
        "org.apache.commons.collections4.keyvalue.",
        "org.apache.commons.fileupload.",
        "org.apache.myfaces.",
        "org.apache.wicket.",
        "org.apache.xalan.",
        "org.codehaus.groovy.runtime.",
        "org.hibernate.",
        "org.jboss.interceptor.",
        "org.jboss.weld.interceptor.",
        "org.mozilla.javascript.",
        "org.python.core.",
        "org.springframework.aop.",
        "org.springframework.beans.factory.",
        "org.springframework.core.SerializableTypeWrapper",
    };

    /** A container's table is at most this many times longer than the bytes of the message. */
    private static final long ELEMENTS_PER_BYTE = 4;

    private static final long SMALL_ARRAY = 4096;

    private final SerialOptions limits;
    private final @Nullable ObjectInputFilter patterns;
    private final long messageBytes;
    private @Nullable String refusal;

    /**
     * Creates a filter for one message.
     *
     * @param patterns what comes before the defaults; null if there is nothing
     * @param messageBytes length of the message
     */
    SerialFilter(SerialOptions limits, @Nullable ObjectInputFilter patterns, long messageBytes) {
        this.limits = limits;
        this.patterns = patterns;
        this.messageBytes = messageBytes;
    }

    /** Why the message was refused, in words; null if it was not. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** Refuses a dynamic proxy, which no option can allow: it could hide any class behind any interface. */
    String refuseProxy() {
        String reason = "dynamic proxies (java.lang.reflect.Proxy) are not accepted in messages of objects";
        refusal = reason;
        return reason;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        String reason = exceededLimit(info);
        Class<?> type = info.serialClass();
        if (reason == null && type != null) {
            reason = refusalOf(type, info);
        }
        if (reason == null) {
            return Status.ALLOWED;
        }
        refusal = reason;
        return Status.REJECTED;
    }

    private @Nullable String exceededLimit(FilterInfo info) {
        long length = info.arrayLength();
        if (length > limits.array()) {
            return over("an array of " + length + " elements", limits.array(), Options.SERIAL_ARRAY);
        }
        if (length > Math.max(SMALL_ARRAY, messageBytes * ELEMENTS_PER_BYTE)) {
            return "an array or container of " + length + " elements cannot be in a message of " + messageBytes
                    + " bytes";
        }
        if (info.depth() > limits.depth()) {
            return over("nesting of depth " + info.depth(), limits.depth(), Options.SERIAL_DEPTH);
        }
        if (info.references() > limits.references()) {
            return over("object number " + info.references(), limits.references(), Options.SERIAL_REFERENCES);
        }
        return null;
    }

    private static String over(String what, long limit, String option) {
        return what + " exceeds the limit of " + limit + " (system property " + option + ")";
    }

    private @Nullable String refusalOf(Class<?> type, FilterInfo info) {
        Status status = patterns == null ? Status.UNDECIDED : patterns.checkInput(info);
        if (status == Status.ALLOWED) {
            return null;
        }
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (status == Status.REJECTED) {
            return refused(element, "the patterns of this option refuse it");
        }
        if (element.isPrimitive()) {
            return null;
        }
        String name = element.getName();
        if (startsWithAny(name, PLATFORM)) {
            return isPlain(element, name) ? null : refused(element, "it is none of the JDK's plain value classes");
        }
        if (patterns != null) {
            return refused(element, "no pattern of this option allows it");
        }
        return startsWithAny(name, DANGEROUS)
                ? refused(element, "classes of its library are known to run code when they are deserialized")
                : null;
    }

    private static boolean isPlain(Class<?> type, String name) {
        String packageName = type.getPackageName();
        for (String plain : PLAIN_PACKAGES) {
            if (packageName.equals(plain)) {
                return true;
            }
        }
        for (String plain : PLAIN_CLASSES) {
            if (name.equals(plain)) {
                return true;
            }
        }
        return name.startsWith("java.") && Throwable.class.isAssignableFrom(type);
    }

    private static boolean startsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static String refused(Class<?> type, String why) {
        return "class " + type.getName() + " is not accepted: " + why + "; to accept it, add it to the system property "
                + Options.SERIAL_FILTER + " of every rank";
    }
}
