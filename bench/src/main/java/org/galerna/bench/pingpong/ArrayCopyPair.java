package org.galerna.bench.pingpong;

import java.util.Random;

/** One thread that copies an array there and back: what a message costs at least if one core copies it once. */
final class ArrayCopyPair implements Pair {
    private final byte[] here;
    private final byte[] there;
    private int length;

    ArrayCopyPair(int longest) {
        here = new byte[longest];
        there = new byte[longest];
        new Random(20260102).nextBytes(here);
    }

    @Override
    public String name() {
        return "array copy";
    }

    @Override
    public void prepare(int length, int roundTrips) {
        this.length = length;
    }

    @Override
    public void roundTrip() {
        System.arraycopy(here, 0, there, 0, length);
        System.arraycopy(there, 0, here, 0, length);
    }

    @Override
    public void close() {
        // holds nothing
    }
}
