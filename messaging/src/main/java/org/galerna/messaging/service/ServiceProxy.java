package org.galerna.messaging.service;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.ServiceException;
import org.galerna.messaging.node.Requester;
import org.jspecify.annotations.Nullable;

/** Calls methods at another node. Those with a body run here. */
final class ServiceProxy implements InvocationHandler {
    private final Requester requester;
    private final int node;
    private final Class<?> type;
    private final Duration timeout;
    private final Map<String, ServiceMethod> methods;

    ServiceProxy(Requester requester, int node, Class<?> type, Duration timeout, Map<String, ServiceMethod> methods) {
        this.requester = requester;
        this.node = node;
        this.type = type;
        this.timeout = timeout;
        this.methods = methods;
    }

    /** Carries the message and the trace of what was thrown at the other node. */
    private static final class Remote extends Exception {
        private static final long serialVersionUID = 1L;

        Remote(String text, StackTraceElement... trace) {
            super(text);
            setStackTrace(trace);
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given) throws Throwable {
        @Nullable Object[] values = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> values[0] == proxy;
                case "hashCode" -> System.identityHashCode(proxy);
                default -> type.getSimpleName() + " at node " + node;
            };
        }
        if (method.isDefault()) {
            return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
                    .unreflectSpecial(method, method.getDeclaringClass())
                    .bindTo(proxy)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .invoke(values);
        }
        ServiceMethod called = methods.get(Services.nameOf(method));
        if (called == null) {
            throw new IllegalStateException(method + " is no method of " + type);
        }
        ServiceCall call = new ServiceCall(called, values);
        if (called.later()) {
            return later(called, call);
        }
        try {
            return result(called, requester.request(node, call, ServiceReply.class, timeout));
        } catch (MessagingException failed) {
            throw named(called, failed);
        }
    }

    private CompletableFuture<@Nullable Object> later(ServiceMethod called, ServiceCall call) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        CompletableFuture<ServiceReply> reply = requester.requestAsync(node, call, ServiceReply.class, timeout);
        CompletableFuture<?> ignored = reply.whenComplete((come, failure) -> {
            try {
                if (failure != null) {
                    throw failure instanceof MessagingException known ? named(called, known) : failure;
                }
                result.complete(result(called, come));
            } catch (Throwable failed) {
                result.completeExceptionally(failed);
            }
        });
        ignored = result.whenComplete((_, _) -> reply.cancel(false)); // of a result that nobody waits for
        return result;
    }

    private MessagingException named(ServiceMethod called, MessagingException failure) {
        if (failure instanceof ServiceException) {
            return failure;
        }
        String text = failure.reason() == MessagingException.Reason.NOT_OFFERED
                ? "node " + node + " does not offer " + called + " of " + type.getName() + " with this signature"
                : "the call of " + called + " at node " + node + " has failed: " + failure.getMessage();
        return new MessagingException(failure.reason(), text, failure);
    }

    private @Nullable Object result(ServiceMethod called, ServiceReply reply) throws Throwable {
        ServiceReply.Thrown thrown = reply.thrown();
        if (thrown == null) {
            return reply.value();
        }
        String text = thrown.type() + (thrown.message() == null ? "" : ": " + thrown.message());
        ServiceException failure = new ServiceException(
                called + " at node " + node + " has thrown " + text,
                thrown.type(),
                new Remote(text, thrown.elements()));
        throw declared(called, thrown, failure);
    }

    /** What the method declares is thrown as itself. */
    private static Throwable declared(ServiceMethod called, ServiceReply.Thrown thrown, ServiceException failure) {
        for (Class<?> each : called.method().getExceptionTypes()) {
            if (each.getName().equals(thrown.type())) {
                try {
                    Constructor<?> maker = each.getDeclaredConstructor(String.class);
                    if (maker.trySetAccessible()) {
                        return ((Throwable) maker.newInstance(thrown.message())).initCause(failure);
                    }
                } catch (ReflectiveOperationException | RuntimeException cannotBeMade) {
                    return failure;
                }
            }
        }
        return failure;
    }
}
