package org.galerna.sockets.selector;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** A view of a set that elements can be removed from, and not added to: the selected keys, as programs get them. */
public final class UngrowableSet<E> extends AbstractSet<E> {
    private final Set<E> set;

    public UngrowableSet(Set<E> set) {
        this.set = set;
    }

    @Override
    public Iterator<E> iterator() {
        return set.iterator();
    }

    @Override
    public int size() {
        return set.size();
    }

    @Override
    public boolean contains(Object element) {
        return set.contains(element);
    }

    @Override
    public boolean remove(Object element) {
        return set.remove(element);
    }

    @Override
    public void clear() {
        set.clear();
    }
}
