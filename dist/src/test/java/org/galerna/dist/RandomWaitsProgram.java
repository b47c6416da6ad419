package org.galerna.dist;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import mpi.MPI;

/**
 * A program of a seed: its ranks send, receive, meet, compute, sleep and end at random moments. All ranks go through the
 * same list in the same order, and each does its part, so that nothing can get stuck; unless it is told to let some ranks
 * wait in a circle at a random moment, after which the others do without them.
 *
 * <p>Arguments: the seed, whether there is a circle, and the longest sleep in milliseconds.
 */
public final class RandomWaitsProgram {
    private static final int STEPS = 14;
    private static final int CIRCLE_TAG = 9_999;
    private static final int ANSWER = 5_000;

    private final int rank;
    private final int size;
    private final List<Step> steps = new ArrayList<>();
    private final Random random;
    private final int longest;

    private RandomWaitsProgram(int size, long seed, boolean circle, int longest) {
        this.rank = MPI.COMM_WORLD.Rank();
        this.size = size;
        this.random = new Random(seed);
        this.longest = longest;
        makeUp(circle);
    }

    /** What a rank does as its part of a step. */
    private interface Part {
        void run() throws InterruptedException;
    }

    /** One entry of the list; {@code part} is null for ranks that have none. */
    private record Step(String name, Part part) {}

    public static void main(String[] arguments) throws InterruptedException {
        String[] own = MPI.Init(arguments);
        new RandomWaitsProgram(
                        MPI.COMM_WORLD.Size(),
                        Long.parseLong(own[0]),
                        Boolean.parseBoolean(own[1]),
                        Integer.parseInt(own[2]))
                .run();
    }

    private void run() throws InterruptedException {
        for (Step step : steps) {
            step.part().run();
        }
    }

    // ---- the list: every rank draws the same numbers

    private void makeUp(boolean circle) {
        List<Integer> alive = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        int circleAt = circle ? random.nextInt(STEPS) : -1;
        boolean everybody = true;
        for (int number = 0; number < STEPS && !alive.isEmpty(); number++) {
            if (number == circleAt) {
                makeCircle(alive);
                everybody = false;
            } else {
                int before = alive.size();
                addStep(number, alive, everybody, circle && number < circleAt);
                everybody &= alive.size() == before;
            }
        }
        List.copyOf(alive).forEach(each -> end(each, alive));
    }

    private void addStep(int number, List<Integer> alive, boolean everybody, boolean keepTwo) {
        int one = any(alive);
        int other = any(alive);
        int millis = random.nextInt(longest);
        switch (random.nextInt(8)) {
            case 0, 1 -> message(number, one, other, random.nextBoolean(), random.nextInt(4) == 0 ? 100_000 : 10);
            case 2 -> add("sleep", one, () -> TimeUnit.MILLISECONDS.sleep(millis));
            case 3 -> add("compute", one, () -> compute(millis / 4));
            case 4 -> {
                if (everybody) {
                    for (int each : alive) {
                        add("barrier", each, () -> MPI.COMM_WORLD.Barrier());
                    }
                }
            }
            case 5 -> askWhileAnotherThreadSends(number, one, other, millis);
            case 6 -> anySource(number, one, other);
            default -> {
                if (alive.size() > (keepTwo ? 2 : 1)) {
                    end(one, alive);
                }
            }
        }
    }

    private int any(List<Integer> ranks) {
        return ranks.get(random.nextInt(ranks.size()));
    }

    private void add(String name, int who, Part part) {
        if (who == rank) {
            steps.add(new Step(name, part));
        }
    }

    private void message(int tag, int from, int to, boolean synchronous, int length) {
        if (from == to) {
            return;
        }
        add("send", from, () -> {
            if (synchronous) {
                MPI.COMM_WORLD.Ssend(new int[length], 0, length, MPI.INT, to, tag);
            } else {
                MPI.COMM_WORLD.Send(new int[length], 0, length, MPI.INT, to, tag);
            }
        });
        add("receive", to, () -> MPI.COMM_WORLD.Recv(new int[length], 0, length, MPI.INT, from, tag));
    }

    /** The main threads of both wait, and a third thread goes on after a time. */
    private void askWhileAnotherThreadSends(int tag, int from, int to, int millis) {
        if (from == to) {
            return;
        }
        add("helper", from, () -> {
            Thread helper = Thread.ofPlatform().start(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(millis);
                } catch (InterruptedException atEnd) {
                    Thread.currentThread().interrupt();
                }
                MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, to, tag);
            });
            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, to, tag + ANSWER);
            helper.join();
        });
        add("answer", to, () -> {
            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, from, tag);
            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, from, tag + ANSWER);
        });
    }

    private void anySource(int tag, int from, int to) {
        if (from == to) {
            return;
        }
        add("send", from, () -> MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, to, tag));
        add("receive from anybody", to, () -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, tag));
    }

    private void end(int who, List<Integer> alive) {
        alive.remove(Integer.valueOf(who));
        int before = random.nextInt(longest);
        int after = random.nextInt(longest);
        boolean late = random.nextBoolean();
        add("end", who, () -> {
            TimeUnit.MILLISECONDS.sleep(late ? before : 0);
            MPI.Finalize();
            TimeUnit.MILLISECONDS.sleep(late ? 0 : after);
            System.out.println("rank " + who + " is done");
        });
    }

    /** Some ranks wait for each other; the others go on without them. */
    private void makeCircle(List<Integer> alive) {
        int length = alive.size() < 2 ? 1 : 2 + random.nextInt(alive.size() - 1);
        List<Integer> circle = new ArrayList<>();
        while (circle.size() < length) {
            circle.add(alive.remove(random.nextInt(alive.size())));
        }
        for (int index = 0; index < length; index++) {
            int next = circle.get((index + 1) % length);
            add("circle", circle.get(index), () -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, next, CIRCLE_TAG));
        }
    }

    private static void compute(int millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
