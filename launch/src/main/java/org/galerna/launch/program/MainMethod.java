package org.galerna.launch.program;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The method that a program starts with, found as {@code java} does (JEP 512): {@code main(String[])} before
 * {@code main()}, static or of an instance that is made with the constructor without parameters, never private.
 */
public final class MainMethod {
    private final Method method;

    private MainMethod(Method method) {
        this.method = method;
    }

    /**
     * The main method of a class, which is not initialized by this.
     *
     * @throws ProgramException if it has none
     */
    public static MainMethod of(Class<?> type) {
        Method method = find(type, String[].class)
                .or(() -> find(type))
                .orElseThrow(() -> new ProgramException("class " + type.getName()
                        + " has no main method: it needs a method public static void main(String[] args)"));
        if (!Modifier.isStatic(method.getModifiers())) {
            checkInstantiable(type);
        }
        return new MainMethod(method);
    }

    /**
     * Runs the program on the calling thread, until its main method returns or throws.
     *
     * @param type the class that was asked for, in the caller's class loader
     * @throws Throwable what the program throws
     */
    public static void run(Class<?> type, String[] arguments) throws Throwable {
        of(type).invoke(type, arguments);
    }

    private void invoke(Class<?> type, String[] arguments) throws Throwable {
        method.setAccessible(true);
        if (Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 1) {
            // the usual one; for a reflective call the virtual machine would write classes first, each time it starts
            MethodHandles.lookup().unreflect(method).invokeExact(arguments);
            return;
        }
        try {
            Object instance = null;
            if (!Modifier.isStatic(method.getModifiers())) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                instance = constructor.newInstance();
            }
            if (method.getParameterCount() == 0) {
                method.invoke(instance);
            } else {
                method.invoke(instance, (Object) arguments);
            }
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    private static void checkInstantiable(Class<?> type) {
        boolean possible = !Modifier.isAbstract(type.getModifiers())
                && Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(constructor -> constructor.getParameterCount() == 0
                                && !Modifier.isPrivate(constructor.getModifiers()));
        if (!possible) {
            throw new ProgramException("the main method of class " + type.getName()
                    + " is not static, and no instance can be made: it needs a constructor without parameters that is"
                    + " not private");
        }
    }

    private static Optional<Method> find(Class<?> type, Class<?>... parameters) {
        for (Class<?> each : lineage(type)) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals("main")
                        && Arrays.equals(method.getParameterTypes(), parameters)
                        && method.getReturnType() == void.class
                        && (method.getModifiers() & (Modifier.PRIVATE | Modifier.ABSTRACT)) == 0) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    /** The class, its super classes, then the interfaces of all of them. */
    private static List<Class<?>> lineage(Class<?> type) {
        List<Class<?>> lineage = new ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            lineage.add(each);
        }
        for (int index = 0; index < lineage.size(); index++) {
            for (Class<?> each : lineage.get(index).getInterfaces()) {
                if (!lineage.contains(each)) {
                    lineage.add(each);
                }
            }
        }
        return lineage;
    }
}
