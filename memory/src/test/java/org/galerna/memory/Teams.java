package org.galerna.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Threads that work at the same time, for tests. */
final class Teams {
    /** What kind of threads. */
    enum Kind {
        PLATFORM {
            @Override
            ThreadFactory factory() {
                return Thread.ofPlatform().factory();
            }
        },
        VIRTUAL {
            @Override
            ThreadFactory factory() {
                return Thread.ofVirtual().factory();
            }
        };

        abstract ThreadFactory factory();
    }

    /** What the n-th member does. */
    @FunctionalInterface
    interface Work {
        void run(int member) throws Exception;
    }

    private Teams() {}

    /** Runs the work on {@code members} threads and waits for all; throws what one of them throws. */
    static void run(Kind kind, int members, Work work) throws Exception {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(kind.factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int member = 0; member < members; member++) {
                int me = member;
                running.add(threads.submit(() -> {
                    work.run(me);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }
}
