package org.galerna.applications.molecular;

import java.util.Arrays;

/** Places, speeds and forces of particles, in arrays that grow. Own particles come first, copies of others' after them. */
final class Particles {
    /** Numbers that move with a particle: its name, its place, and its speed. */
    static final int FIELDS = 7;

    private static final int GHOST_FIELDS = 3;

    double[] name = new double[64];
    double[] x = new double[64];
    double[] y = new double[64];
    double[] z = new double[64];
    double[] speedX = new double[64];
    double[] speedY = new double[64];
    double[] speedZ = new double[64];
    double[] forceX = new double[64];
    double[] forceY = new double[64];
    double[] forceZ = new double[64];
    private int own;
    private int all;

    /** Number of own particles. */
    int own() {
        return own;
    }

    /** Number of particles, copies included. */
    int all() {
        return all;
    }

    /** Forgets the copies. */
    void dropCopies() {
        all = own;
    }

    private void reserve(int count) {
        if (count > x.length) {
            int length = Math.max(count, 2 * x.length);
            name = Arrays.copyOf(name, length);
            x = Arrays.copyOf(x, length);
            y = Arrays.copyOf(y, length);
            z = Arrays.copyOf(z, length);
            speedX = Arrays.copyOf(speedX, length);
            speedY = Arrays.copyOf(speedY, length);
            speedZ = Arrays.copyOf(speedZ, length);
            forceX = Arrays.copyOf(forceX, length);
            forceY = Arrays.copyOf(forceY, length);
            forceZ = Arrays.copyOf(forceZ, length);
        }
    }

    /** Adds an own particle; there may be no copies. */
    void add(double[] source, int offset) {
        reserve(own + 1);
        name[own] = source[offset];
        x[own] = source[offset + 1];
        y[own] = source[offset + 2];
        z[own] = source[offset + 3];
        speedX[own] = source[offset + 4];
        speedY[own] = source[offset + 5];
        speedZ[own] = source[offset + 6];
        all = ++own;
    }

    /** Writes an own particle as {@link #add} reads it. */
    void get(int index, double[] target, int offset) {
        target[offset] = name[index];
        target[offset + 1] = x[index];
        target[offset + 2] = y[index];
        target[offset + 3] = z[index];
        target[offset + 4] = speedX[index];
        target[offset + 5] = speedY[index];
        target[offset + 6] = speedZ[index];
    }

    /** Removes an own particle; the last one takes its place. */
    void remove(int index) {
        own--;
        all = own;
        name[index] = name[own];
        x[index] = x[own];
        y[index] = y[own];
        z[index] = z[own];
        speedX[index] = speedX[own];
        speedY[index] = speedY[own];
        speedZ[index] = speedZ[own];
        forceX[index] = forceX[own];
        forceY[index] = forceY[own];
        forceZ[index] = forceZ[own];
    }

    /** Adds copies: their places, one after the other. */
    void addCopies(double[] places, int count) {
        reserve(all + count);
        for (int copy = 0; copy < count; copy++) {
            x[all] = places[GHOST_FIELDS * copy];
            y[all] = places[GHOST_FIELDS * copy + 1];
            z[all] = places[GHOST_FIELDS * copy + 2];
            all++;
        }
    }
}
