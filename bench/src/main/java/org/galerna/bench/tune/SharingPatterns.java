package org.galerna.bench.tune;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.galerna.bench.model.SharedCores;
import org.galerna.bench.model.SharedCores.Measured;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a host do to find what it costs that they share its cores: see {@link SharedCores}. All ranks of the host call the
 * methods at the same time.
 */
final class SharingPatterns {
    private static final int CONTEXT = 1;
    private static final int SHORT = 8;
    private static final int BLOCK = 4096;
    private static final int ANNOUNCED = 64 << 10;
    private static final int WINDOW = 64;
    private static final int LOOKS = 40;
    private static final int COPIED = 64 << 10;

    /** Messages that nobody awaits yet: more than the pool of their memory keeps, and fewer than a sender has credit for. */
    private static final int KEPT = 320;

    /** So many of them fit into a ring. */
    private static final int TOGETHER = 4;

    /** What is measured as less than nothing is as good as nothing. */
    private static final double SHORTEST = 1e-9;

    private static final double QUICKEST_PER_BYTE = 1e-12;

    /** Tags of messages, of what follows them, and of an end. */
    private static final int DATA = 0;

    private static final int LAST = 1;
    private static final int END = 2;

    private final Device device;
    private final int[] members;
    private final int place;
    private final int cores;
    private final int after;
    private final int before;
    private final int block;
    private final byte[] message = new byte[ANNOUNCED];
    private final byte[] answer = new byte[ANNOUNCED];

    /**
     * Patterns between some ranks.
     *
     * @param members ranks of one host in order, the calling one among them
     */
    SharingPatterns(Device device, int[] members) {
        this.device = device;
        this.members = members;
        this.place = Arrays.binarySearch(members, device.rank());
        this.cores = Math.min(members.length, device.hosts().processorsBeside(device.rank()));
        this.after = members[(place + 1) % members.length];
        this.before = members[(place - 1 + members.length) % members.length];
        this.block = Math.min(BLOCK, device.eagerLimit(before));
    }

    /** Those between the ranks of this host; null if each has a core. */
    static @Nullable SharingPatterns ifShared(Device device) {
        int own = device.hosts().hostOf(device.rank());
        return device.hosts().ranksBeside(device.rank()) <= device.hosts().processorsBeside(device.rank())
                ? null
                : new SharingPatterns(
                        device,
                        IntStream.range(0, device.size())
                                .filter(rank -> device.hosts().hostOf(rank) == own)
                                .toArray());
    }

    /** What finds the costs from the times. */
    SharedCores costs() {
        return new SharedCores(members.length, SHORT, block, ANNOUNCED);
    }

    /**
     * Measures all of them.
     *
     * @param repetitions of which the median counts; as many come first, to warm up
     * @param rounds in a repetition
     */
    Measured measure(int repetitions, int rounds) {
        double overhead = pair(() -> least(2 * repetitions, this::stream)) / WINDOW;
        double keep = kept(repetitions, SHORT);
        double keepPerByte = (kept(repetitions, block) - keep) / block;
        // a receive that nothing comes for, as long as all look
        Request nothing = device.irecv(answer, 0, 0, after, END, CONTEXT);
        double look = first(() -> measure(repetitions, 10, () -> look(nothing))) / LOOKS;
        double turn = shared(repetitions, () -> look(nothing));
        double copy = (shared(repetitions, () -> copy(nothing)) - turn) / COPIED;
        device.send(message, 0, 0, before, END, CONTEXT);
        nothing.await();
        nothing.release();
        return new Measured(
                overhead,
                look,
                turn,
                Math.max(SHORTEST, keep),
                Math.max(QUICKEST_PER_BYTE, keepPerByte),
                Math.max(QUICKEST_PER_BYTE, copy),
                measure(repetitions, rounds, this::passToken),
                measure(repetitions, rounds, () -> exchange(SHORT)),
                measure(repetitions, rounds, () -> exchange(block)),
                measure(repetitions, rounds, () -> exchange(ANNOUNCED)));
    }

    @FunctionalInterface
    private interface Figure {
        double measure();
    }

    /** Has the first rank measure, while the others sleep. */
    private double first(Figure figure) {
        double found = place == 0 ? figure.measure() : 0;
        tell(1);
        return found;
    }

    /** Has the first two ranks measure, while the others sleep. */
    private double pair(Figure figure) {
        double found = place < 2 ? figure.measure() : 0;
        tell(2);
        return found;
    }

    /** Seconds in which a rank takes a message that has come before its receive. */
    private double kept(int repetitions, int bytes) {
        return pair(() -> sorted(repetitions, () -> keep(bytes) / KEPT)[repetitions / 2]);
    }

    /** Seconds of a core for what all ranks do in turns. */
    private double shared(int repetitions, Runnable pattern) {
        exchange(SHORT); // all are there
        return measure(2 * repetitions, 1, pattern) / LOOKS * cores / members.length;
    }

    /** Tells those from a place on that others are done. */
    private void tell(int from) {
        for (int other = from; other < members.length; other++) {
            if (place == 0) {
                device.send(message, 0, 0, members[other], LAST, CONTEXT);
            } else if (place == other) {
                receive(members[0], 0, LAST);
            }
        }
    }

    private static double measure(int repetitions, int rounds, Runnable pattern) {
        return sorted(repetitions, rounds, pattern)[repetitions / 2];
    }

    /** The shortest, in which no rank has slept. */
    private static double least(int repetitions, Runnable pattern) {
        return sorted(repetitions, 1, pattern)[0];
    }

    private static double[] sorted(int repetitions, int rounds, Runnable pattern) {
        return sorted(repetitions, () -> {
            long start = System.nanoTime();
            for (int number = 0; number < rounds; number++) {
                pattern.run();
            }
            return (System.nanoTime() - start) / 1e9 / rounds;
        });
    }

    /** After as many that do not count. */
    private static double[] sorted(int repetitions, Figure figure) {
        double[] each = new double[repetitions];
        for (int repetition = -repetitions; repetition < repetitions; repetition++) {
            double found = figure.measure();
            if (repetition >= 0) {
                each[repetition] = found;
            }
        }
        Arrays.sort(each);
        return each;
    }

    /** Messages that follow each other, and an answer. */
    private void stream() {
        for (int number = 0; number < WINDOW; number++) {
            if (place == 0) {
                device.send(message, 0, SHORT, after, DATA, CONTEXT);
            } else {
                receive(before, SHORT, DATA);
            }
        }
        answer();
    }

    private void answer() {
        if (place == 0) {
            receive(after, 0, LAST);
        } else {
            device.send(message, 0, 0, before, LAST, CONTEXT);
        }
    }

    /** Messages that come before their receives, some at a time. Returns the seconds in which the receiver then takes them. */
    private double keep(int bytes) {
        for (int number = 0; number < KEPT; number++) {
            if (place == 0) {
                device.send(message, 0, bytes, after, DATA, CONTEXT);
            }
            if (number % TOGETHER == TOGETHER - 1) {
                if (place == 0) {
                    device.send(message, 0, 0, after, LAST, CONTEXT);
                } else {
                    receive(before, 0, LAST);
                }
                answer();
            }
        }
        double[] seconds = {0};
        if (place == 0) {
            device.recv(seconds, 0, Double.BYTES, after, LAST, CONTEXT).release();
        } else {
            long start = System.nanoTime();
            for (int number = 0; number < KEPT; number++) {
                receive(before, bytes, DATA);
            }
            seconds[0] = (System.nanoTime() - start) / 1e9;
            device.send(seconds, 0, Double.BYTES, before, LAST, CONTEXT);
        }
        return seconds[0];
    }

    private void receive(int source, int bytes, int tag) {
        device.recv(answer, 0, bytes, source, tag, CONTEXT).release();
    }

    private static void look(Request nothing) {
        for (int number = 0; number < LOOKS; number++) {
            nothing.test();
            Thread.yield();
        }
    }

    private void copy(Request nothing) {
        for (int number = 0; number < LOOKS; number++) {
            nothing.test();
            System.arraycopy(message, 0, answer, 0, COPIED);
            Thread.yield();
        }
    }

    /** A token goes around; all but one rank wait. */
    private void passToken() {
        if (place == 0) {
            device.send(message, 0, SHORT, after, DATA, CONTEXT);
            receive(before, SHORT, DATA);
        } else {
            receive(before, SHORT, DATA);
            device.send(message, 0, SHORT, after, DATA, CONTEXT);
        }
    }

    /** Every rank waits for one message in each step, from farther away each time. */
    private void exchange(int bytes) {
        int size = members.length;
        for (int distance = 1; distance < size; distance <<= 1) {
            // all send first, which must not wait for a receiver where such messages are announced
            Request send = device.isend(message, 0, bytes, members[(place + distance) % size], DATA, CONTEXT);
            receive(members[(place - distance + size) % size], bytes, DATA);
            send.await();
            send.release();
        }
    }
}
