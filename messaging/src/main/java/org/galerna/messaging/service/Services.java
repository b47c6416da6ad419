package org.galerna.messaging.service;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.Responder;
import org.galerna.messaging.dispatch.Guarded;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.RequestResponder;
import org.galerna.messaging.node.Requester;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.wire.MessageContents;
import org.galerna.messaging.wire.RefusedCall;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * The services that a node offers, and those that it calls. A call is a request, received on a virtual thread. Both sides
 * know a method by a key made of its whole signature, so that a node whose interface differs says so at the first call. What a
 * node offers it tells each other one when they connect, with the layouts of arguments and results: a call whose records differ
 * fails where it is made, and the node that offers the method is told.
 */
public final class Services {
    private static final int CALL = TypeTable.FIRST_INTERNAL_ID + 1;
    private static final int REPLY = TypeTable.FIRST_INTERNAL_ID + 2;

    /** A method that this node offers. */
    private record Offer(ServiceMethod method, Object service, Class<?> type) {}

    private final int node;
    private final Map<Long, Offer> offered = new HashMap<>(); // complete before the node starts
    private final Map<Long, ServiceMethod> called = new ConcurrentHashMap<>();
    private final FailureLog failures;
    private @Nullable BiPredicate<Integer, Class<?>> allowed; // before the node starts
    private final WireType<ServiceCall> callType;
    private final WireType<ServiceReply> replyType;

    /** Offers nothing yet. */
    public Services(int node, FailureLog failures) {
        this.node = node;
        this.failures = failures;
        this.callType = WireType.of(CALL, ServiceCall.class, ServiceCall.serializer(this::find), new Contents());
        this.replyType = new WireType<>(REPLY, 0, ServiceReply.class, ServiceReply.serializer(called::get), null);
    }

    /** Which methods calls are of. */
    private final class Contents implements MessageContents<ServiceCall> {
        @Override
        public Map<Long, TypeLayout> offered() {
            Map<Long, TypeLayout> layouts = new HashMap<>();
            offered.forEach((key, offer) -> layouts.put(key, offer.method.layout()));
            return layouts;
        }

        @Override
        public Content of(ServiceCall call) {
            ServiceMethod method = Objects.requireNonNull(call.method(), "a call of no method");
            return method.called();
        }
    }

    private @Nullable ServiceMethod find(long key) {
        Offer offer = offered.get(key);
        return offer == null ? null : offer.method;
    }

    /**
     * Offers a service; before the node starts.
     *
     * @throws IllegalArgumentException if it is offered already, or cannot be called
     */
    public <S> void offer(Class<S> type, S service, Serializers own) {
        for (ServiceMethod each : ServiceMethod.of(type, own)) {
            if (!each.method().trySetAccessible()) {
                throw new IllegalArgumentException("the package of " + type.getName()
                        + " has to be open to the module org.galerna.messaging, or exported and the interface public");
            }
            if (offered.putIfAbsent(each.key(), new Offer(each, service, type)) != null) {
                throw new IllegalArgumentException("node " + node + " offers " + type.getName() + " twice");
            }
        }
    }

    /** Asks whether a node may call a service; before the node starts. */
    public void guard(BiPredicate<Integer, Class<?>> decision) {
        allowed = decision;
    }

    /** The types of calls and replies, and of calls that are not made. */
    public List<WireType<?>> types() {
        return List.of(callType, replyType, RefusedCall.TYPE);
    }

    /** What receives calls, and hears of those that are not made. */
    public List<Registration<?>> receivers() {
        return List.of(
                new Registration<>(callType, Handling.VIRTUAL, this::receive),
                new Registration<>(RefusedCall.TYPE, Handling.CONCURRENT, this::refused));
    }

    // ---- called

    private void receive(ServiceCall call, Delivery delivery) throws Exception {
        ServiceMethod method = call.method();
        Offer offer = method == null ? null : offered.get(method.key());
        BiPredicate<Integer, Class<?>> decision = allowed;
        if (offer != null && decision != null) {
            Guarded.check(() -> decision.test(delivery.sender(), offer.type), delivery, "call " + offer.type.getName());
        }
        Responder responder = delivery.responder();
        if (method == null || offer == null) {
            ((RequestResponder) responder)
                    .fail(MessagingException.Reason.NOT_OFFERED, "it offers no method of that signature");
            return;
        }
        Object result;
        try {
            result = method.method().invoke(offer.service, call.arguments());
        } catch (InvocationTargetException thrown) {
            fail(responder, method, thrown.getCause());
            return;
        } catch (RuntimeException | IllegalAccessException impossible) {
            fail(responder, method, impossible);
            return;
        }
        if (!method.later()) {
            reply(responder, method, result);
        } else if (result instanceof CompletionStage<?> stage) {
            CompletionStage<?> ignored = stage.whenComplete((value, thrown) -> {
                if (thrown != null) {
                    fail(responder, method, cause(thrown));
                } else {
                    reply(responder, method, value);
                }
            });
        } else if (result instanceof Future<?> future) {
            reply(responder, method, future.get());
        } else {
            fail(responder, method, new IllegalStateException("the method has returned null, not a future"));
        }
    }

    private void refused(RefusedCall refused, Delivery delivery) {
        ServiceMethod method = find(refused.key());
        String difference = method == null ? null : method.layout().difference(refused.layout());
        if (method != null && difference != null) {
            failures.report(() -> method.called().refusal(delivery.sender(), difference), null);
        }
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }

    private void reply(Responder responder, ServiceMethod method, @Nullable Object value) {
        respond(responder, new ServiceReply(method, value, null));
    }

    private void fail(Responder responder, ServiceMethod method, @Nullable Throwable thrown) {
        Throwable known = thrown == null ? new IllegalStateException("unknown") : thrown;
        respond(responder, new ServiceReply(method, null, ServiceReply.Thrown.of(known)));
    }

    private void respond(Responder responder, ServiceReply reply) {
        try {
            responder.respond(reply);
        } catch (Throwable unanswered) { // the requester was told, or is gone
            failures.report(
                    () -> "a call of " + reply.method() + " of node " + responder.requester() + " was not answered",
                    unanswered);
        }
    }

    // ---- calling

    /** A method within its service, whichever interface declares it. */
    static String nameOf(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    /** Calls the methods of a service at another node. */
    public <S> S proxy(Requester requester, int to, Class<S> type, Duration timeout, Serializers own) {
        Map<String, ServiceMethod> methods = new HashMap<>();
        for (ServiceMethod each : ServiceMethod.of(type, own)) {
            methods.put(nameOf(each.method()), each);
            called.put(each.key(), each);
        }
        ServiceProxy handler = new ServiceProxy(requester, to, type, timeout, Map.copyOf(methods));
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
