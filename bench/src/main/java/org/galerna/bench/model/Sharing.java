package org.galerna.bench.model;

/**
 * What it costs that the ranks of a host share its cores. Times are in seconds.
 *
 * @param looks how often a rank that waits looks for its message before it sleeps
 * @param look a look, with a yield that nobody makes use of
 * @param turn a look, with a yield after which another rank has the core
 * @param wake to wake a rank that sleeps: its core is busy with that
 * @param resume what the first message takes longer that a rank sends or finds after others have had the core
 * @param keep what a message takes longer that comes before its receive
 * @param keepPerByte the same for each of its bytes
 */
public record Sharing(
        int looks, double look, double turn, double wake, double resume, double keep, double keepPerByte) {
    /** Where nothing is known about it. */
    public static final Sharing FREE = new Sharing(0, 0, 0, 0, 0, 0, 0);

    /** The same with so many looks. */
    public Sharing withLooks(int number) {
        return new Sharing(number, look, turn, wake, resume, keep, keepPerByte);
    }

    /** The same with other seconds to wake a rank. */
    Sharing withWake(double seconds) {
        return new Sharing(looks, look, turn, seconds, resume, keep, keepPerByte);
    }

    /** The same with other seconds for the first message. */
    Sharing withResume(double seconds) {
        return new Sharing(looks, look, turn, wake, seconds, keep, keepPerByte);
    }
}
