package org.galerna.link.ofi;

import java.util.List;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.testkit.link.LinkSubject;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** Links over libfabric, of ranks that are threads. */
interface OfiSubject extends LinkSubject {
    String PROVIDER = OfiOptions.PREFIX + "provider";

    /** Name of the provider. */
    String providerName();

    @BeforeEach
    default void choose() throws OfiException {
        choose(providerName());
    }

    /** Has links use a provider. */
    static void choose(String name) throws OfiException {
        OfiLibrary.unavailable().ifPresent(Assumptions::abort);
        Assumptions.assumeTrue(
                OfiLibrary.open().providers().stream()
                        .anyMatch(each -> each.name().equals(name)),
                "there is no provider " + name);
        System.setProperty(PROVIDER, name);
    }

    @AfterEach
    default void forget() {
        System.clearProperty(PROVIDER);
    }

    @Override
    default LinkProvider provider() {
        return new OfiLinkProvider();
    }

    @Override
    default boolean refusesForgedDescriptors() {
        return false; // a provider may end the connection
    }

    @Override
    default List<? extends Wireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
