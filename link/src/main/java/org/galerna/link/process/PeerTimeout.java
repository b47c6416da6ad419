package org.galerna.link.process;

import org.galerna.link.settings.Setting;

/** How long a peer may give no sign of life before it is lost, whatever the link. */
public final class PeerTimeout {
    /** System property with that time in seconds, with or without a fraction. */
    public static final Setting<Double> SETTING = Setting.fraction(
            "galerna.peer.timeout",
            "a number of seconds",
            4,
            0.1,
            1e6,
            "seconds without an answer of another host after which its ranks are lost");

    /** Its name. */
    public static final String PROPERTY = SETTING.name();

    private PeerTimeout() {}

    /**
     * The time in seconds, as the property says at this moment.
     *
     * @throws IllegalArgumentException if it is no such number
     */
    public static double seconds() {
        return SETTING.get();
    }

    /** The same in nanoseconds. */
    public static long nanos() {
        return (long) (seconds() * 1e9);
    }
}
