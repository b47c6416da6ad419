package org.galerna.link.process;

import java.util.concurrent.TimeUnit;
import org.galerna.link.settings.Setting;
import org.galerna.nativeaccess.thread.Timeslice;

/**
 * Short turns on the processor for threads that answer each other. A thread that waits lets others run, by yielding or
 * asleep. With the system's usual slice of some milliseconds it comes back that much later if another thread wants the same
 * processor, be it a rank or a compiler of the virtual machine; and who answers it waits as long.
 */
public final class ShortTurns {
    private static final long SHORTEST_MICROS = TimeUnit.NANOSECONDS.toMicros(Timeslice.SHORTEST_NANOS);
    private static final long LONGEST_MICROS = 100_000;

    /** System property: the longest turn in microseconds; 0 leaves it to the system. */
    public static final Setting<Long> SETTING = Setting.count(
                    "galerna.turn",
                    "a number of microseconds",
                    SHORTEST_MICROS,
                    0,
                    LONGEST_MICROS,
                    "longest turn in microseconds of a rank's threads on a processor that others want too")
            .where(
                    "a number of microseconds between " + SHORTEST_MICROS + " and " + LONGEST_MICROS
                            + ", or 0 to leave it to the system",
                    micros -> micros == 0 || micros >= SHORTEST_MICROS);

    /** Its name. */
    public static final String TURN = SETTING.name();

    private ShortTurns() {}

    /**
     * Asks for short turns for the calling thread and those that it starts from now on. Does nothing where Linux is older
     * than 6.12, for a virtual thread, or if the thread's turns are as short already.
     *
     * @throws IllegalArgumentException if the system property is not a number that can be
     */
    public static void ask() {
        long nanos = TimeUnit.MICROSECONDS.toNanos(micros());
        if (nanos > 0 && !Thread.currentThread().isVirtual()) {
            Timeslice.instance().filter(slice -> slice.get() > nanos).ifPresent(slice -> slice.set(nanos));
        }
    }

    /**
     * The longest turn in microseconds.
     *
     * @throws IllegalArgumentException if the system property is not a number that can be
     */
    public static long micros() {
        return SETTING.get();
    }
}
