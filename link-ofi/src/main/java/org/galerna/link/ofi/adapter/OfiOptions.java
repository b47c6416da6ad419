package org.galerna.link.ofi.adapter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.link.settings.Setting;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.jspecify.annotations.Nullable;

/**
 * What a site may want to choose, by system properties that begin with {@code galerna.ofi.}; everything has a default.
 *
 * @param provider {@code provider}: name of the provider, e.g. {@code tcp;ofi_rxm}
 * @param domain {@code domain}: name of the adapter or interface, e.g. {@code eth0}
 * @param getLimit {@code get.limit}: longest message in bytes that the receiver reads; longer ones are written by the sender; null if nobody
 *     has chosen
 * @param getAlignment {@code get.alignment}: what addresses and lengths have to be multiples of to be read, a power of two
 * @param cachedRegions {@code registration.cache}: memory regions that are kept registered; 0 for none
 */
public record OfiOptions(
        @Nullable String provider,
        @Nullable String domain,
        @Nullable Integer getLimit,
        int getAlignment,
        int cachedRegions) {
    /** What the names of the system properties begin with. */
    public static final String PREFIX = "galerna.ofi.";

    private static final Setting<Optional<String>> PROVIDER =
            Setting.text(PREFIX + "provider", "name of the provider of libfabric, e.g. cxi, efa or tcp;ofi_rxm");
    private static final Setting<Optional<String>> DOMAIN =
            Setting.text(PREFIX + "domain", "name of the provider's adapter or interface, e.g. eth0");
    private static final Setting<Integer> GET_LIMIT = Setting.number(
            PREFIX + "get.limit",
            64 * 1024,
            0,
            Integer.MAX_VALUE,
            "longest message that the receiver reads; longer ones are written by the sender, where messages do not overtake"
                    + " what is written");
    private static final Setting<Integer> GET_ALIGNMENT = Setting.number(
                    PREFIX + "get.alignment",
                    1,
                    1,
                    4096,
                    "what addresses and lengths must be multiples of to be read; a power of two")
            .where("a number from 1 to 4096 that is a power of two", value -> Integer.bitCount(value) == 1);
    private static final Setting<Integer> CACHED_REGIONS =
            Setting.number(PREFIX + "registration.cache", 256, 0, 1 << 20, "memory regions that stay registered");
    private static final Setting<Optional<String>> LIBRARY =
            Setting.text(OfiLibrary.PROPERTY, "path of libfabric, if it is not the system's");

    /** The system properties, each with what it is for. */
    public static final Map<String, String> MEANINGS =
            Setting.meanings(List.of(PROVIDER, DOMAIN, GET_LIMIT, GET_ALIGNMENT, CACHED_REGIONS, LIBRARY));

    /**
     * Longest message in bytes that the receiver reads. Where messages overtake what is written, all are read unless somebody has
     * chosen: the sender would have to wait until its bytes are there, before it tells of them.
     */
    public int getLimit(boolean keepsOrder) {
        if (getLimit != null) {
            return getLimit;
        }
        return keepsOrder ? GET_LIMIT.otherwise() : Integer.MAX_VALUE;
    }

    /**
     * What the system properties say.
     *
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     */
    public static OfiOptions read() {
        return new OfiOptions(
                PROVIDER.get().orElse(null),
                DOMAIN.get().orElse(null),
                GET_LIMIT.isSet() ? GET_LIMIT.get() : null,
                GET_ALIGNMENT.get(),
                CACHED_REGIONS.get());
    }
}
