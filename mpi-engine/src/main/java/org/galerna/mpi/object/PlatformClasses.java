package org.galerna.mpi.object;

import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.Set;

/**
 * The classes of the JDK, and which of them a message of objects may bring: values, containers, enums and exceptions.
 * Their deserialization runs no code but their own, and none of theirs opens files, loads classes or calls methods that
 * the message names.
 */
final class PlatformClasses {
    /** Packages whose classes are plain values, containers and exceptions. */
    static final Set<String> PLAIN_PACKAGES = Set.of(
            "java.awt",
            "java.awt.color",
            "java.awt.font",
            "java.awt.geom",
            "java.lang",
            "java.lang.annotation",
            "java.math",
            "java.sql",
            "java.text",
            "java.time",
            "java.time.chrono",
            "java.time.temporal",
            "java.time.zone",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.logging",
            "java.util.regex",
            "javax.sql.rowset.serial");

    /**
     * Plain values in other packages. Those that are not exported are what values consist of: a calendar brings its time
     * zone, a date of XML its fields.
     */
    static final Set<String> PLAIN_CLASSES = Set.of(
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationDayTimeImpl",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationImpl",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationImpl$DurationStream",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.DurationYearMonthImpl",
            "com.sun.org.apache.xerces.internal.jaxp.datatype.XMLGregorianCalendarImpl",
            "java.beans.IndexedPropertyChangeEvent",
            "java.beans.PropertyChangeEvent",
            "java.beans.PropertyChangeSupport",
            "java.beans.VetoableChangeSupport",
            "java.io.File",
            "java.lang.invoke.MethodType",
            "java.lang.invoke.SerializedLambda",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.SocketAddress",
            "java.net.URI",
            "java.net.URL",
            "java.net.UnixDomainSocketAddress",
            "java.net.UnixDomainSocketAddress$Ser",
            "javax.crypto.spec.SecretKeySpec",
            "javax.security.auth.x500.X500Principal",
            "javax.xml.datatype.Duration",
            "javax.xml.datatype.XMLGregorianCalendar",
            "javax.xml.namespace.QName",
            "sun.util.BuddhistCalendar",
            "sun.util.calendar.ZoneInfo");

    /** Exceptions that do more than hold what has happened. */
    static final Set<String> REFUSED_EXCEPTIONS = Set.of("javax.management.BadAttributeValueExpException");

    /** The method that the compiler adds to classes with serializable lambdas. */
    private static final String LAMBDA_FACTORY = "$deserializeLambda$";

    private PlatformClasses() {}

    /** True if this is a class of the JDK, wherever its name begins: a program may have classes in {@code javax}. */
    static boolean contains(Class<?> type) {
        Module module = type.getModule();
        if (!module.isNamed() || module.getLayer() != ModuleLayer.boot()) {
            return false;
        }
        ClassLoader loader = type.getClassLoader();
        return loader == null
                || loader == ClassLoader.getPlatformClassLoader()
                || module.getName().startsWith("java.")
                || module.getName().startsWith("jdk.");
    }

    /** True if a message may bring this class of the JDK, which is no array. */
    static boolean isPlain(Class<?> type) {
        if (PLAIN_PACKAGES.contains(type.getPackageName()) || PLAIN_CLASSES.contains(type.getName())) {
            return true;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return !REFUSED_EXCEPTIONS.contains(type.getName());
        }
        // the JDK reads no objects of them: they come as objects of class Class
        boolean onlyNamed = !Serializable.class.isAssignableFrom(type) || type.isInterface();
        return (onlyNamed || Enum.class.isAssignableFrom(type)) && !hasLambdas(type);
    }

    /** A serialized lambda names a class as the one that it is made by. */
    private static boolean hasLambdas(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(LAMBDA_FACTORY)) {
                return true;
            }
        }
        return false;
    }
}
