package org.galerna.link.ofi.adapter;

import java.util.List;
import java.util.stream.Collectors;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.nativeaccess.ofi.OfiProvider;

/** Which provider of libfabric a rank uses: what is asked for, or else that of the fastest network. */
public final class ProviderChoice {
    /** The networks of clusters, the fastest first; others are used only where somebody asks for them. */
    private static final List<String> PREFERRED =
            List.of("cxi", "efa", "opx", "psm3", "psm2", "verbs;ofi_rxm", "tcp;ofi_rxm", "tcp");

    private static final String LOOPBACK = "lo";

    private ProviderChoice() {}

    /**
     * The provider.
     *
     * @throws OfiException if there is none of the kind; the message says what there is
     */
    public static OfiProvider of(OfiOptions options) throws OfiException {
        List<OfiProvider> all = OfiLibrary.open().providers();
        List<OfiProvider> fitting =
                all.stream().filter(each -> fits(each, options)).toList();
        List<String> names = options.provider() != null
                ? fitting.stream().map(OfiProvider::name).distinct().toList()
                : PREFERRED;
        for (String name : names) {
            List<OfiProvider> ofName =
                    fitting.stream().filter(each -> each.name().equals(name)).toList();
            for (OfiProvider each : ofName) {
                if (!each.domain().equals(LOOPBACK) || options.domain() != null) {
                    return each;
                }
            }
            if (!ofName.isEmpty()) {
                return ofName.getFirst(); // no way out of this host
            }
        }
        throw new OfiException("looking for a provider", describe(options) + describe(all));
    }

    private static boolean fits(OfiProvider provider, OfiOptions options) {
        return (options.provider() == null || provider.name().equals(options.provider()))
                && (options.domain() == null || provider.domain().equals(options.domain()));
    }

    private static String describe(OfiOptions options) {
        if (options.provider() == null && options.domain() == null) {
            return "it has none for a network of this machine";
        }
        return "it has none with"
                + (options.provider() == null ? "" : " " + OfiOptions.PREFIX + "provider=" + options.provider())
                + (options.domain() == null ? "" : " " + OfiOptions.PREFIX + "domain=" + options.domain());
    }

    private static String describe(List<OfiProvider> all) {
        return all.isEmpty()
                ? ""
                : "; there are "
                        + all.stream().map(OfiProvider::toString).distinct().collect(Collectors.joining(", "));
    }
}
