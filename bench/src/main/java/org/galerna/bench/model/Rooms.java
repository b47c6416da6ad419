package org.galerna.bench.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages inside hosts that their receivers have not taken yet. A pair has a ring from its first message on, as long as
 * its receiver has one left: in a program that runs for long those that talk have had time to get one.
 */
final class Rooms {
    /** A message of so many bytes lies in the slot that every message has; a longer one also takes lines, with its header. */
    private static final int IN_SLOT = 64;

    private static final int HEADER = 16;
    private static final int LINE = 64;

    private final Room room;
    private final Place[] queues; // by receiver
    private final List<List<Place>> rings; // by receiver
    private final Map<Long, Place> ringOfPair = new HashMap<>();

    private static final class Place {
        private final int mostMessages;
        private final long mostBytes;
        private int messages;
        private long bytes;
        private int beingTaken; // of the messages, by a receiver that is busy with them until a time
        private long bytesBeingTaken;
        private double until;

        Place(int mostMessages, long mostBytes) {
            this.mostMessages = mostMessages;
            this.mostBytes = mostBytes;
        }

        boolean take(long size, double now) {
            settle(now);
            long lines = size <= IN_SLOT ? 0 : (size + HEADER + LINE - 1) / LINE * LINE;
            if (messages == mostMessages || bytes + lines > mostBytes) {
                return false;
            }
            messages++;
            bytes += lines;
            return true;
        }

        private void settle(double now) {
            if (now >= until) {
                messages -= beingTaken;
                bytes -= bytesBeingTaken;
                beingTaken = 0;
                bytesBeingTaken = 0;
            }
        }

        void clear(double from, double end) {
            settle(from);
            beingTaken = messages;
            bytesBeingTaken = bytes;
            until = end;
        }
    }

    Rooms(Room room, int ranks) {
        this.room = room;
        queues = new Place[ranks];
        rings = new ArrayList<>(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            queues[rank] = new Place(room.queueMessages(), room.queueBytes());
            rings.add(new ArrayList<>());
        }
    }

    /** Takes room for a message at a time; false if there is none. */
    boolean take(int sender, int receiver, long bytes, double now) {
        return place(sender, receiver).take(bytes, now);
    }

    private Place place(int sender, int receiver) {
        if (room.rings() == 0) {
            return queues[receiver];
        }
        long pair = (long) sender << Integer.SIZE | receiver;
        Place ring = ringOfPair.get(pair);
        if (ring == null && rings.get(receiver).size() < room.rings()) {
            ring = new Place(room.ringMessages(), room.ringBytes());
            ringOfPair.put(pair, ring);
            rings.get(receiver).add(ring);
        }
        return ring == null ? queues[receiver] : ring;
    }

    /** The receiver takes all that is there, and has room for others when it has. */
    void clear(int receiver, double from, double until) {
        queues[receiver].clear(from, until);
        rings.get(receiver).forEach(place -> place.clear(from, until));
    }
}
