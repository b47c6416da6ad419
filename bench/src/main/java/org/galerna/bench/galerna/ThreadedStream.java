package org.galerna.bench.galerna;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.jspecify.annotations.Nullable;

/**
 * A message rate with several threads per rank that send at once ({@code MPI.THREAD_MULTIPLE}): each thread of a sender
 * has its counterpart at the receiver, and each pair a window of its own. The calling thread is one of them.
 */
final class ThreadedStream {
    private final int count;
    private final List<Benchmarks> benchmarks = new ArrayList<>();
    private final List<MpiMessenger> messengers = new ArrayList<>();
    private final CyclicBarrier told;
    private final CyclicBarrier done;
    private final AtomicInteger ready = new AtomicInteger();
    private volatile boolean started;
    private volatile @Nullable Command current;

    ThreadedStream(int count) {
        this.count = count;
        this.told = new CyclicBarrier(count);
        this.done = new CyclicBarrier(count);
        for (int thread = 0; thread < count; thread++) {
            MpiMessenger messenger = new MpiMessenger(thread + 1);
            messengers.add(messenger);
            benchmarks.add(new Benchmarks(messenger));
        }
        for (int thread = 1; thread < count; thread++) {
            int mine = thread;
            Thread.ofPlatform().daemon().name("sender-" + thread).start(() -> serve(mine));
        }
    }

    boolean isMultiple() {
        return count > 1;
    }

    /** The time in which every thread has made the iterations; waking the threads up is no part of it. */
    Answer run(Command command) throws IOException {
        current = command;
        started = false;
        ready.set(0);
        try {
            told.await();
            messengers.getFirst().prepare((int) command.bytes(), command.window());
            while (ready.get() < count - 1) {
                Thread.yield();
            }
            MPI.COMM_WORLD.Barrier();
            long start = System.nanoTime();
            started = true;
            stream(0, command);
            done.await();
            return Answer.of(messengers.getFirst().maximum((double) (System.nanoTime() - start)));
        } catch (InterruptedException | BrokenBarrierException broken) {
            throw new IOException("a thread of the benchmark has ended", broken);
        }
    }

    private void serve(int thread) {
        try {
            while (true) {
                told.await();
                Command command = current;
                if (command == null) {
                    return;
                }
                messengers.get(thread).prepare((int) command.bytes(), command.window());
                ready.incrementAndGet();
                while (!started) {
                    Thread.onSpinWait();
                }
                stream(thread, command);
                done.await();
            }
        } catch (InterruptedException | BrokenBarrierException over) {
            // the rank has ended
            return;
        }
    }

    private void stream(int thread, Command command) {
        benchmarks.get(thread).stream(command.iterations(), command.window(), MPI.COMM_WORLD.Size() / 2);
    }
}
