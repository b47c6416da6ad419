package org.galerna.launch.meeting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import org.galerna.launch.council.Place;

/**
 * What rank 0 leaves for the others.
 *
 * @param place where it listens
 * @param secret by which processes of the job know each other
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares invitations
record Invitation(Place place, byte[] secret) {
    private static final int SECRET_BYTES = 32;

    byte[] encode() {
        return (HexFormat.of().formatHex(secret) + "\n" + new String(place.encode(), UTF_8)).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Invitation decode(byte[] bytes) {
        String[] parts = new String(bytes, UTF_8).split("\n", 2);
        if (parts.length < 2 || parts[0].length() != 2 * SECRET_BYTES) {
            throw new IllegalArgumentException("no invitation of rank 0");
        }
        return new Invitation(
                Place.decode(parts[1].getBytes(UTF_8)), HexFormat.of().parseHex(parts[0]));
    }
}
