package org.galerna.link.ofi.adapter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.jspecify.annotations.Nullable;

/**
 * What a site may want to choose, by system properties that begin with {@code galerna.ofi.}; everything has a default.
 *
 * @param provider {@code provider}: name of the provider, e.g. {@code tcp;ofi_rxm}
 * @param domain {@code domain}: name of the adapter or interface, e.g. {@code eth0}
 * @param getLimit {@code get.limit}: longest message in bytes that the receiver reads; longer ones are written by the sender
 * @param getAlignment {@code get.alignment}: what addresses and lengths have to be multiples of to be read, a power of two
 * @param cachedRegions {@code registration.cache}: memory regions that are kept registered; 0 for none
 */
public record OfiOptions(
        @Nullable String provider, @Nullable String domain, int getLimit, int getAlignment, int cachedRegions) {
    /** What the names of the system properties begin with. */
    public static final String PREFIX = "galerna.ofi.";

    /** The system properties, each with what it is for. */
    public static final Map<String, String> MEANINGS = meanings();

    private static final int GET_LIMIT = 64 * 1024;
    private static final int CACHED_REGIONS = 256;

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(PREFIX + "provider", "name of the provider of libfabric, e.g. cxi, efa or tcp;ofi_rxm");
        meanings.put(PREFIX + "domain", "name of the provider's adapter or interface, e.g. eth0");
        meanings.put(
                PREFIX + "get.limit", "longest message that the receiver reads; longer ones are written by the sender");
        meanings.put(
                PREFIX + "get.alignment", "what addresses and lengths must be multiples of to be read; a power of two");
        meanings.put(PREFIX + "registration.cache", "memory regions that stay registered");
        meanings.put(OfiLibrary.PROPERTY, "path of libfabric, if it is not the system's");
        return Collections.unmodifiableMap(meanings);
    }

    /**
     * What the system properties say.
     *
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     */
    public static OfiOptions read() {
        int alignment = number("get.alignment", 1, 1, 4096);
        if (Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(PREFIX + "get.alignment must be a power of two, not " + alignment);
        }
        return new OfiOptions(
                text("provider").orElse(null),
                text("domain").orElse(null),
                number("get.limit", GET_LIMIT, 0, Integer.MAX_VALUE),
                alignment,
                number("registration.cache", CACHED_REGIONS, 0, 1 << 20));
    }

    private static Optional<String> text(String name) {
        return Optional.ofNullable(System.getProperty(PREFIX + name))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static int number(String name, int otherwise, int least, int most) {
        return text(name).map(text -> parse(name, text, least, most)).orElse(otherwise);
    }

    private static int parse(String name, String text, int least, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new IllegalArgumentException(
                PREFIX + name + " must be a number from " + least + " to " + most + ", not \"" + text + "\"");
    }
}
