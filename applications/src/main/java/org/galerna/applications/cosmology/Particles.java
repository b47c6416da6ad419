package org.galerna.applications.cosmology;

import java.util.Arrays;

/**
 * The particles of a rank, in arrays that grow. All have the same mass. Places are in units of the box, from 0 to below
 * 1; momenta are {@code a^2 dx/dt}, with times in units of the Hubble time.
 */
final class Particles {
    /** Numbers that move with a particle: its name, its work, its place and its momentum. */
    static final int FIELDS = 8;

    private static final int FIRST_LENGTH = 64;

    long[] name = new long[FIRST_LENGTH];
    /** Interactions that its force took. */
    double[] work = new double[FIRST_LENGTH];

    double[] x = new double[FIRST_LENGTH];
    double[] y = new double[FIRST_LENGTH];
    double[] z = new double[FIRST_LENGTH];
    double[] momentumX = new double[FIRST_LENGTH];
    double[] momentumY = new double[FIRST_LENGTH];
    double[] momentumZ = new double[FIRST_LENGTH];
    /** Accelerations, times the scale factor. */
    double[] forceX = new double[FIRST_LENGTH];

    double[] forceY = new double[FIRST_LENGTH];
    double[] forceZ = new double[FIRST_LENGTH];
    /** Times the scale factor. */
    double[] potential = new double[FIRST_LENGTH];

    private int count;

    /** Their number. */
    int count() {
        return count;
    }

    /** Forgets all. */
    void clear() {
        count = 0;
    }

    /** Adds one that {@link #get} has written. */
    void add(double[] source, int offset) {
        add((long) source[offset], source[offset + 2], source[offset + 3], source[offset + 4]);
        int index = count - 1;
        work[index] = source[offset + 1];
        momentumX[index] = source[offset + 5];
        momentumY[index] = source[offset + 6];
        momentumZ[index] = source[offset + 7];
    }

    /** Adds one that does not move. */
    void add(long itsName, double itsX, double itsY, double itsZ) {
        reserve(count + 1);
        name[count] = itsName;
        work[count] = 1;
        x[count] = wrap(itsX);
        y[count] = wrap(itsY);
        z[count] = wrap(itsZ);
        momentumX[count] = 0;
        momentumY[count] = 0;
        momentumZ[count] = 0;
        count++;
    }

    /** Writes one as {@link #add} reads it. */
    void get(int index, double[] target, int offset) {
        target[offset] = name[index];
        target[offset + 1] = work[index];
        target[offset + 2] = x[index];
        target[offset + 3] = y[index];
        target[offset + 4] = z[index];
        target[offset + 5] = momentumX[index];
        target[offset + 6] = momentumY[index];
        target[offset + 7] = momentumZ[index];
    }

    private void reserve(int needed) {
        if (needed <= x.length) {
            return;
        }
        int length = 2 * x.length;
        name = Arrays.copyOf(name, length);
        work = Arrays.copyOf(work, length);
        x = Arrays.copyOf(x, length);
        y = Arrays.copyOf(y, length);
        z = Arrays.copyOf(z, length);
        momentumX = Arrays.copyOf(momentumX, length);
        momentumY = Arrays.copyOf(momentumY, length);
        momentumZ = Arrays.copyOf(momentumZ, length);
        forceX = new double[length]; // forces are computed after all have come
        forceY = new double[length];
        forceZ = new double[length];
        potential = new double[length];
    }

    /** A place inside the box. */
    static double wrap(double place) {
        double wrapped = place - Math.floor(place);
        return wrapped < 1 ? wrapped : 0; // a place just below 0 is rounded up to the edge
    }

    /** Moves all by their momenta. */
    void drift(double factor) {
        for (int index = 0; index < count; index++) {
            x[index] = wrap(x[index] + factor * momentumX[index]);
            y[index] = wrap(y[index] + factor * momentumY[index]);
            z[index] = wrap(z[index] + factor * momentumZ[index]);
        }
    }

    /** Changes all momenta by the forces. */
    void kick(double factor) {
        for (int index = 0; index < count; index++) {
            momentumX[index] += factor * forceX[index];
            momentumY[index] += factor * forceY[index];
            momentumZ[index] += factor * forceZ[index];
        }
    }

    /** Puts them into an order. Forces are lost. */
    void arrange(int[] order) {
        long[] names = new long[x.length];
        for (int place = 0; place < count; place++) {
            names[place] = name[order[place]];
        }
        name = names;
        work = arranged(work, order);
        x = arranged(x, order);
        y = arranged(y, order);
        z = arranged(z, order);
        momentumX = arranged(momentumX, order);
        momentumY = arranged(momentumY, order);
        momentumZ = arranged(momentumZ, order);
    }

    private double[] arranged(double[] values, int[] order) {
        double[] target = new double[values.length];
        for (int place = 0; place < count; place++) {
            target[place] = values[order[place]];
        }
        return target;
    }
}
