package org.galerna.mpi.object;

import java.lang.StackWalker.StackFrame;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.galerna.link.process.GalernaClasses;
import org.jspecify.annotations.Nullable;

/**
 * The class loaders that the classes of received objects are looked up in: that of the class that receives, that of the
 * thread's context, and that of the rank. A program may load itself through a loader of its own, as application servers,
 * plug-in hosts and archives of archives do. A loader comes before its parents, as it may have other classes of the same
 * names. They are those at the call that starts to receive, whichever thread completes it.
 */
public final class ReceiverLoaders {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final ClassLoader GALERNA = ReceiverLoaders.class.getClassLoader();

    private final List<ClassLoader> loaders;

    private ReceiverLoaders(Set<ClassLoader> loaders) {
        this.loaders = List.copyOf(loaders);
    }

    /** Those of the thread and the class that call Galerna. */
    static ReceiverLoaders ofCaller(ClassLoader rank) {
        ClassLoader caller = WALKER.walk(frames -> frames.map(StackFrame::getDeclaringClass)
                        .filter(ReceiverLoaders::isProgram)
                        .findFirst())
                .map(Class::getClassLoader)
                .orElse(rank);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        Set<ClassLoader> loaders = LinkedHashSet.newLinkedHashSet(3);
        if (context != null && isParent(caller, context)) {
            loaders.add(context);
        }
        loaders.add(caller);
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(rank);
        return new ReceiverLoaders(loaders);
    }

    private static boolean isProgram(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
            return false;
        }
        String name = type.getName();
        boolean galernas = loader == GALERNA
                ? GalernaClasses.isInside(name) || GalernaClasses.isApi(name)
                : GalernaClasses.isPerRank(name);
        return !galernas;
    }

    private static boolean isParent(ClassLoader parent, ClassLoader child) {
        for (ClassLoader each = child.getParent(); each != null; each = each.getParent()) {
            if (each == parent) {
                return true;
            }
        }
        return false;
    }

    /** The class of that name; empty if none of the loaders has it. */
    Optional<Class<?>> find(String name) {
        for (ClassLoader loader : loaders) {
            Class<?> found = find(name, loader);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private static @Nullable Class<?> find(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException notThere) {
            return null;
        }
    }

    /** The loader that dynamic proxies of these interfaces can be made in: all of them must see the same. */
    Optional<ClassLoader> ofProxy(List<Class<?>> interfaces) {
        return loaders.stream()
                .filter(loader -> interfaces.stream().allMatch(type -> find(type.getName(), loader) == type))
                .findFirst();
    }
}
