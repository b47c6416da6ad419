package org.galerna.memory;

/**
 * Initializes classes before anybody needs them. Where compiled code would call a class that has not been initialized, the compiler leaves
 * a trap: the first call discards the code. So classes that are on the way of some messages, and not of the first ones, are initialized by
 * the class that calls them.
 */
public final class EarlyClasses {
    private EarlyClasses() {}

    /** Initializes classes, if they are not yet. */
    public static void initialize(Class<?>... classes) {
        for (Class<?> each : classes) {
            try {
                Class.forName(each.getName(), true, each.getClassLoader());
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException("this class is here already", impossible);
            }
        }
    }
}
