package org.galerna.link.verbs;

import org.galerna.link.LinkProvider;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.testkit.link.LinkSubject;

/** Links over verbs, of ranks that are threads. */
interface VerbsSubject extends LinkSubject {
    @Override
    default LinkProvider provider() {
        return new VerbsLinkProvider();
    }

    @Override
    default boolean movesWithoutTheOwner() {
        return !"write".equals(System.getProperty(VerbsOptions.PREFIX + "rendezvous"));
    }

    @Override
    default boolean refusesForgedDescriptors() {
        return false; // an adapter that is asked for them ends the connection
    }
}
