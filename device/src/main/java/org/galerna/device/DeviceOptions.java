package org.galerna.device;

import java.util.List;
import java.util.Map;
import org.galerna.link.settings.Setting;

/**
 * Sizes of the protocols.
 *
 * @param eagerLimit longest message that is sent eagerly, in bytes; larger ones are announced and copied once
 * @param eagerCredit bytes (and about 128 more for each message) that a sender may have at one receiver
 *     without their having been received; beyond that it announces its messages. 0 shares out
 *     {@link #TOTAL_CREDIT} among the ranks
 */
public record DeviceOptions(int eagerLimit, long eagerCredit) {
    /** System property for {@link #eagerLimit}. */
    public static final String EAGER_LIMIT = "galerna.eager.limit";

    /** System property for {@link #eagerCredit}. */
    public static final String EAGER_CREDIT = "galerna.eager.credit";

    /** What one receiver keeps of unexpected messages at most, in bytes, where every rank sends to it at once. */
    public static final long TOTAL_CREDIT = 128L << 20;

    private static final Setting<Long> LIMIT = bytes(
            EAGER_LIMIT,
            8 * 1024,
            "longest message that is sent eagerly, in bytes; larger ones are announced and copied once");
    private static final Setting<Long> CREDIT =
            bytes(EAGER_CREDIT, 0, "bytes that a sender may have at one receiver without their having been received");

    /** For links of which nothing better is known. */
    public static final DeviceOptions DEFAULT =
            new DeviceOptions(LIMIT.otherwise().intValue(), CREDIT.otherwise());

    private static final long LEAST_CREDIT = 256 * 1024;
    private static final long MOST_CREDIT = 8 << 20;

    /** Options with the values checked. */
    public DeviceOptions {
        if (eagerLimit < 0) {
            throw new IllegalArgumentException(EAGER_LIMIT + " must not be negative, it is " + eagerLimit);
        }
        if (eagerCredit < 0) {
            throw new IllegalArgumentException(EAGER_CREDIT + " must not be negative, it is " + eagerCredit);
        }
    }

    /** The defaults, overridden by system properties. */
    public static DeviceOptions fromSystemProperties() {
        return new DeviceOptions(LIMIT.get().intValue(), CREDIT.get());
    }

    /** The system properties, each with its meaning. */
    public static Map<String, String> meanings() {
        return Setting.meanings(List.of(LIMIT, CREDIT));
    }

    /** Bytes that each of so many ranks may have at one receiver. */
    public long creditFor(int ranks) {
        return eagerCredit > 0 ? eagerCredit : Math.clamp(TOTAL_CREDIT / ranks, LEAST_CREDIT, MOST_CREDIT);
    }

    private static Setting<Long> bytes(String name, long otherwise, String meaning) {
        return Setting.count(name, "a number of bytes", otherwise, 0, Integer.MAX_VALUE, meaning)
                .where("a number of bytes", _ -> true);
    }
}
