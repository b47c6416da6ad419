package org.galerna.messaging.service;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.messaging.serialization.ValuesSerializer;
import org.galerna.messaging.wire.MessageContents;
import org.jspecify.annotations.Nullable;

/**
 * A method of a service, as both sides know it.
 *
 * @param key tells it from all others: of the service's name, its own, and the types of its arguments and its result
 * @param later whether it returns a future
 * @param arguments writes and reads its arguments
 * @param result writes and reads its result; of no value if it has none
 * @param isVoid whether it has none
 * @param layout how its arguments and its result lie in their bytes
 */
record ServiceMethod(
        long key,
        Method method,
        boolean later,
        ValuesSerializer arguments,
        ValuesSerializer result,
        boolean isVoid,
        TypeLayout layout) {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /**
     * The methods of an interface that are called at the other node: those without a body.
     *
     * @throws IllegalArgumentException if it is no interface, or an argument or a result cannot be sent
     */
    static List<ServiceMethod> of(Class<?> service, Serializers own) {
        if (!service.isInterface()) {
            throw new IllegalArgumentException(service.getName() + " is no interface: a service is one");
        }
        List<ServiceMethod> methods = Arrays.stream(service.getMethods())
                .filter(each -> Modifier.isAbstract(each.getModifiers()))
                .map(each -> of(service, each, own))
                .collect(Collectors.toMap( // interfaces that it extends may declare the same
                        ServiceMethod::key, each -> each, (first, _) -> first, LinkedHashMap::new))
                .values()
                .stream()
                .toList();
        if (methods.isEmpty()) {
            throw new IllegalArgumentException(service.getName() + " has no method that can be called");
        }
        return methods;
    }

    private static ServiceMethod of(Class<?> service, Method method, Serializers own) {
        Type result = method.getGenericReturnType();
        Class<?> returned = method.getReturnType();
        boolean later =
                returned == CompletableFuture.class || returned == CompletionStage.class || returned == Future.class;
        if (later) {
            result = result instanceof ParameterizedType future ? future.getActualTypeArguments()[0] : Object.class;
        }
        boolean isVoid = result == void.class || result == Void.class;
        String name = service.getName() + "." + method.getName();
        List<Type> parameters = Arrays.asList(method.getGenericParameterTypes());
        List<String> names = new ArrayList<>();
        for (int each = 0; each < parameters.size(); each++) {
            names.add("argument " + (each + 1) + " of " + name);
        }
        String signature = name
                + parameters.stream().map(Type::getTypeName).collect(Collectors.joining(",", "(", ")"))
                + (isVoid ? "void" : result.getTypeName());
        return new ServiceMethod(
                hash(signature),
                method,
                later,
                ValuesSerializer.of(parameters, names, own),
                ValuesSerializer.of(
                        isVoid ? List.of() : List.of(result),
                        isVoid ? List.of() : List.of("the result of " + name),
                        own),
                isVoid,
                layout(name, parameters, isVoid ? null : result, own));
    }

    private static TypeLayout layout(String name, List<Type> parameters, @Nullable Type result, Serializers own) {
        SequencedMap<String, Type> values = new LinkedHashMap<>();
        for (Type each : parameters) {
            values.put("argument " + (values.size() + 1), each);
        }
        if (result != null) {
            values.put("result", result);
        }
        return TypeLayout.of(name, values, own);
    }

    private static long hash(String signature) {
        long hash = FNV_OFFSET;
        for (int each = 0; each < signature.length(); each++) {
            hash = (hash ^ signature.charAt(each)) * FNV_PRIME;
        }
        return hash;
    }

    @Override
    public String toString() {
        return text(method.getDeclaringClass().getSimpleName());
    }

    /** How its calls lie in their bytes, and its name with that of its package. */
    MessageContents.Call called() {
        return new MessageContents.Call(key, text(method.getDeclaringClass().getName()), layout);
    }

    private String text(String type) {
        return type + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
