package org.galerna.messaging.serialization;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The type of a component without variables and wildcards.
 *
 * @param raw its class
 * @param arguments what its variables stand for, or the type of an array's elements; empty for a class without any
 */
record ComponentType(Class<?> raw, List<ComponentType> arguments) {
    /** Arguments lie within each other so deep at most; a record that contains itself with longer types has no end. */
    private static final int MAXIMUM_DEPTH = 32;

    static ComponentType of(Class<?> plain) {
        return resolve(plain, Map.of());
    }

    /**
     * Resolves a type.
     *
     * @param variables what the variables of the declaring class stand for
     */
    static ComponentType resolve(Type type, Map<TypeVariable<?>, ComponentType> variables) {
        return switch (type) {
            case Class<?> plain
            when plain.isArray() -> new ComponentType(plain, List.of(resolve(plain.getComponentType(), variables)));
            case Class<?> plain -> new ComponentType(plain, List.of());
            case ParameterizedType generic ->
                new ComponentType(
                        (Class<?>) generic.getRawType(),
                        Arrays.stream(generic.getActualTypeArguments())
                                .map(each -> resolve(each, variables))
                                .toList());
            case GenericArrayType array -> {
                ComponentType element = resolve(array.getGenericComponentType(), variables);
                yield new ComponentType(element.raw.arrayType(), List.of(element));
            }
            case WildcardType wildcard -> resolve(wildcard.getUpperBounds()[0], variables);
            case TypeVariable<?> variable -> {
                ComponentType known = variables.get(variable);
                yield known != null ? known : bound(variable, variables);
            }
            default -> throw new IllegalArgumentException(type.getTypeName());
        };
    }

    /** What nothing binds is as its bound says, which may use the variable itself. */
    private static ComponentType bound(TypeVariable<?> variable, Map<TypeVariable<?>, ComponentType> variables) {
        Map<TypeVariable<?>, ComponentType> inside = new HashMap<>(variables);
        inside.put(variable, new ComponentType(Object.class, List.of()));
        return resolve(variable.getBounds()[0], inside);
    }

    /** What the variables of the class stand for; empty if the class is used without arguments. */
    Map<TypeVariable<?>, ComponentType> variables() {
        TypeVariable<?>[] names = raw.getTypeParameters();
        Map<TypeVariable<?>, ComponentType> bound = new HashMap<>();
        for (int each = 0; each < Math.min(names.length, arguments.size()); each++) {
            bound.put(names[each], arguments.get(each));
        }
        return bound;
    }

    /** A class that this one permits, with the arguments that follow from those of this one. */
    ComponentType permitted(Class<?> subclass) {
        Map<TypeVariable<?>, ComponentType> bound = new HashMap<>();
        Stream.concat(
                        Stream.ofNullable(subclass.getGenericSuperclass()),
                        Arrays.stream(subclass.getGenericInterfaces()))
                .filter(each -> each instanceof ParameterizedType generic && generic.getRawType() == raw)
                .map(each -> ((ParameterizedType) each).getActualTypeArguments())
                .forEach(actual -> {
                    for (int each = 0; each < Math.min(actual.length, arguments.size()); each++) {
                        if (actual[each] instanceof TypeVariable<?> variable) {
                            bound.put(variable, arguments.get(each));
                        }
                    }
                });
        return new ComponentType(
                subclass,
                Arrays.stream(subclass.getTypeParameters())
                        .map(each -> resolve(each, bound))
                        .toList());
    }

    boolean isTooDeep() {
        return depth() > MAXIMUM_DEPTH;
    }

    private int depth() {
        return 1 + arguments.stream().mapToInt(ComponentType::depth).max().orElse(0);
    }

    @Override
    public String toString() {
        if (raw.isArray()) {
            return arguments.getFirst() + "[]";
        }
        return raw.getTypeName()
                + (arguments.isEmpty()
                        ? ""
                        : arguments.stream().map(ComponentType::toString).collect(Collectors.joining(", ", "<", ">")));
    }
}
