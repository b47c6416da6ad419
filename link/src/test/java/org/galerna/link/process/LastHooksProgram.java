package org.galerna.link.process;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A process with many shutdown hooks, of which some are registered before and some after what is to be done at the end. */
public final class LastHooksProgram {
    private static final AtomicInteger ENDED = new AtomicInteger();

    private LastHooksProgram() {}

    /** Arguments: a seed, and whether to call {@code System.exit}. Prints how many hooks there are, and how many have ended at the end. */
    public static void main(String[] arguments) {
        Random random = new Random(Long.parseLong(arguments[0]));
        int before = random.nextInt(30);
        int after = 1 + random.nextInt(30);
        for (int number = 0; number < before; number++) {
            addHook(random.nextInt(50));
        }
        EndOfProcess.add(() -> System.out.println((before + after) + " hooks, " + ENDED + " have ended"));
        for (int number = 0; number < after; number++) {
            addHook(random.nextInt(50));
        }
        if (Boolean.parseBoolean(arguments[1])) {
            System.exit(0);
        }
    }

    private static void addHook(int millis) {
        Thread hook = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
                ENDED.incrementAndGet();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }
}
