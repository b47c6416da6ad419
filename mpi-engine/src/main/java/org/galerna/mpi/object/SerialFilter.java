package org.galerna.mpi.object;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import org.galerna.mpi.settings.Options;
import org.galerna.mpi.settings.Options.SerialOptions;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes a message of objects may bring, and how much of them. One filter serves one message and
 * remembers why it refused it.
 *
 * <p>What exceeds a limit is refused. Then the patterns of {@link Options#SERIAL_FILTER} decide, if one of them matches.
 * What they leave open is refused if it is a dynamic proxy, a {@linkplain PlatformClasses class of the JDK} that is no
 * plain value, or a class of a library that is known to run code when its objects are deserialized.
 *
 * <p>A lambda arrives as a {@link java.lang.invoke.SerializedLambda}, with the class whose source it stands in, which
 * makes it. That class passes this filter as all others do, and makes no lambdas but those of its source.
 *
 * <p>In addition to the limits that are set, an array or collection may not claim more elements than a message of its size can
 * hold: a length alone cannot make the receiver allocate gigabytes.
 */
final class SerialFilter implements ObjectInputFilter {
    /** Where the published chains of code-running classes start and end. */
    static final String[] DANGEROUS = {
        "bsh.",
        "clojure.",
        "com.mchange.",
        "com.rometools.rome.feed.impl.",
        "com.sun.jndi.",
        "com.sun.rowset.",
        "com.sun.syndication.feed.impl.",
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
        "org.aspectj.weaver.",
        "org.codehaus.groovy.runtime.",
        "org.hibernate.",
        "org.jboss.interceptor.",
        "org.jboss.weld.interceptor.",
        "org.mozilla.javascript.",
        "org.python.core.",
        "org.springframework.aop.",
        "org.springframework.beans.factory.",
        "org.springframework.core.SerializableTypeWrapper",
        "scala.sys.process.",
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

    /** Whether the patterns allow dynamic proxies, which can answer calls of any interface by any class. */
    boolean allowsProxies() {
        return patterns != null && patterns.checkInput(new OfClass(Proxy.class)) == Status.ALLOWED;
    }

    /** Refuses a dynamic proxy. */
    String refuseProxy() {
        String reason = "dynamic proxies are not accepted in messages of objects; to accept them, add "
                + Proxy.class.getName() + " to the system property " + Options.SERIAL_FILTER + " of every rank";
        refusal = reason;
        return reason;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        String reason = exceededLimit(info);
        if (reason == null) {
            reason = refusalOf(info);
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

    private @Nullable String refusalOf(FilterInfo info) {
        Status status = patterns == null ? Status.UNDECIDED : patterns.checkInput(info);
        Class<?> type = info.serialClass();
        if (status == Status.REJECTED) {
            String what =
                    type == null ? "an object" : "class " + elementOf(type).getName();
            return what + " is not accepted: the patterns of the system property " + Options.SERIAL_FILTER
                    + " refuse it";
        }
        return status == Status.ALLOWED || type == null ? null : refusalOf(elementOf(type));
    }

    /** What no pattern decides. */
    private @Nullable String refusalOf(Class<?> type) {
        if (type.isPrimitive()) {
            return null;
        }
        if (Proxy.isProxyClass(type)) {
            return allowsProxies() ? null : refuseProxy();
        }
        if (PlatformClasses.contains(type)) {
            return PlatformClasses.isPlain(type) ? null : refused(type, "it is none of the JDK's plain value classes");
        }
        return startsWithAny(type.getName(), DANGEROUS)
                ? refused(type, "classes of its library are known to run code when they are deserialized")
                : null;
    }

    private static Class<?> elementOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
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

    /** A question about a class alone. */
    private record OfClass(Class<?> serialClass) implements FilterInfo {
        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 1;
        }
    }
}
