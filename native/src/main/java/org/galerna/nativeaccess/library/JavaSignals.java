package org.galerna.nativeaccess.library;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Signals that Java code handles, by their names without {@code SIG}. The JDK's classes for them are called by reflection: the
 * compiler warns of them, and a run-time image may lack them. Any thread may call.
 */
public final class JavaSignals {
    private static final Map<String, Object> OWN = new ConcurrentHashMap<>();

    private final Class<?> type = Class.forName("sun.misc.Signal");
    private final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    private final Method set = type.getMethod("handle", type, handlerType);
    private final Method handle = handlerType.getMethod("handle", type);
    private final String name;
    private final Object signal;

    private JavaSignals(String name) throws ReflectiveOperationException {
        this.name = name;
        this.signal = type.getConstructor(String.class).newInstance(name);
    }

    /**
     * Has Galerna handle a signal, unless the program does so already.
     *
     * @throws ReflectiveOperationException if the run-time image lacks the JDK's classes, or the JDK refuses
     */
    public static void handle(String name, Runnable action) throws ReflectiveOperationException {
        new JavaSignals(name).handle(action);
    }

    private void handle(Runnable action) throws ReflectiveOperationException {
        Object own = handler((method, arguments) -> {
            action.run();
            return null;
        });
        OWN.put(name, own); // first, so that nobody takes it for the program's
        Object before = set.invoke(null, signal, own);
        if (isOfProgram(before)) {
            OWN.remove(name);
            set.invoke(null, signal, before);
        }
    }

    /** Whether Galerna handles a signal, or has done so until the program has taken it. */
    public static boolean isOwn(String name) {
        return OWN.containsKey(name);
    }

    /**
     * Whether a handler of the program is in place of the virtual machine's, or of Galerna's own. The only way to learn of a
     * handler is to set another one. A signal that comes meanwhile is passed on, and a handler that the program sets meanwhile
     * stays. A signal that the process ignores, as those that are started by {@code nohup} or in the background of a script do,
     * takes no handler, and wakes nobody.
     *
     * @throws ReflectiveOperationException if the run-time image lacks the JDK's classes: no program has handlers then
     */
    public static boolean isOfProgram(String name) throws ReflectiveOperationException {
        return new JavaSignals(name).isOfProgram();
    }

    private boolean isOfProgram() throws ReflectiveOperationException {
        CompletableFuture<Object> found = new CompletableFuture<>();
        Object stranger = handler((method, arguments) -> handle.invoke(found.join(), arguments));
        synchronized (type) {
            try {
                found.complete(set.invoke(null, signal, stranger));
            } catch (InvocationTargetException refused) {
                // with -Xrs the signals that end the virtual machine are left to the system
                return false;
            }
            Object last = set.invoke(null, signal, found.join());
            if (found.join() == handlerType.getField("SIG_IGN").get(null)) {
                return false;
            }
            if (last != stranger) {
                set.invoke(null, signal, last);
                return true;
            }
        }
        return isOfProgram(found.join());
    }

    private boolean isOfProgram(Object handler) {
        return handler != OWN.get(name) && !handler.getClass().getName().startsWith("sun.misc.");
    }

    /** What a handler does. */
    @FunctionalInterface
    private interface Body {
        @Nullable
        Object run(Method method, Object[] arguments) throws Throwable;
    }

    private Object handler(Body body) {
        return Proxy.newProxyInstance(
                JavaSignals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "handle" -> body.run(method, arguments);
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        default -> "handler of SIG" + name;
                    };
                });
    }
}
