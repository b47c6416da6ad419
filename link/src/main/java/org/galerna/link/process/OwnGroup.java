package org.galerna.link.process;

/**
 * A group of threads that do something for Galerna alone. What serves a whole process serves such a group apart, by threads of the
 * group: the sockets that they open are told from those of the program by it.
 */
public final class OwnGroup extends ThreadGroup {
    /** A group within that of the current thread. */
    public OwnGroup(String name) {
        super(name);
    }
}
