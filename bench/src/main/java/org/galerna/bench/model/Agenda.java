package org.galerna.bench.model;

/** Ranks by the time at which they go on: a binary heap of numbers, in which a rank is at most once. */
final class Agenda {
    private final double[] times;
    private final int[] ranks;
    private int size;

    Agenda(int most) {
        times = new double[most];
        ranks = new int[most];
    }

    /** The earliest time; infinity if there is none. */
    double earliest() {
        return size == 0 ? Double.POSITIVE_INFINITY : times[0];
    }

    void add(int rank, double time) {
        int place = size++;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (!isBefore(time, rank, parent)) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        times[place] = time;
        ranks[place] = rank;
    }

    /** Removes the rank with the earliest time, of several the lowest one; -1 if there is none. */
    int poll() {
        if (size == 0) {
            return -1;
        }
        int first = ranks[0];
        size--;
        double time = times[size];
        int rank = ranks[size];
        int place = 0;
        while (true) {
            int child = 2 * place + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(times[child + 1], ranks[child + 1], child)) {
                child++;
            }
            if (isBefore(time, rank, child)) {
                break;
            }
            move(child, place);
            place = child;
        }
        times[place] = time;
        ranks[place] = rank;
        return first;
    }

    private boolean isBefore(double time, int rank, int other) {
        return time < times[other] || (time == times[other] && rank < ranks[other]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        ranks[to] = ranks[from];
    }
}
