package org.galerna.device.matching;

import java.util.List;
import org.galerna.link.Link;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.hybrid.HybridLink;

/** The link or links that have been opened for a device, before and after the addresses of the ranks are known. */
sealed interface OpenedLinks {
    /** What reaches the other ranks. */
    Link link();

    /** Whether it may reach ranks through a heap that they share; known before the addresses are. */
    boolean offerHeap();

    /**
     * Opens what further links are needed, between the fence and the first use; the same on all ranks.
     *
     * @return whether another fence is needed
     */
    boolean openFurther();

    /** What is used once the addresses are known, and is closed instead of {@link #link}. */
    Link settled();

    /** Why a peer is not reached by a faster link than it is, a sentence each that begins with that link's name. */
    List<String> against(int peer);

    /** One link. */
    record One(Link link) implements OpenedLinks {
        @Override
        public boolean offerHeap() {
            return link instanceof SharedHeapLink;
        }

        @Override
        public boolean openFurther() {
            return false;
        }

        @Override
        public Link settled() {
            return link;
        }

        @Override
        public List<String> against(int peer) {
            return List.of();
        }
    }

    /** Several as one. */
    record Several(HybridLink link) implements OpenedLinks {
        @Override
        public boolean offerHeap() {
            return link.fastest() instanceof SharedHeapLink;
        }

        @Override
        public boolean openFurther() {
            return link.openFurther();
        }

        @Override
        public Link settled() {
            return link.simplified();
        }

        @Override
        public List<String> against(int peer) {
            return link.against(peer);
        }
    }
}
