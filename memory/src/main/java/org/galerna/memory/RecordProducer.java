package org.galerna.memory;

/**
 * The writing side of a {@link RecordRing}: {@link #claim}, write the record at {@link #offset} of the ring's memory,
 * {@link #commit}. Every claim is committed or aborted; the consumer cannot pass one that is neither.
 */
public sealed interface RecordProducer permits SpscProducer, MpscProducer {
    /** No room at the moment: let the consumer work, then try again. */
    long BACK_PRESSURE = -1;

    /** The record is longer than {@link RecordRing#maximumRecord}: it will never fit. */
    long TOO_LONG = -2;

    /**
     * Takes space for one record.
     *
     * @param length bytes, not negative
     * @return the claim, not negative; or {@link #BACK_PRESSURE} or {@link #TOO_LONG}
     */
    long claim(int length);

    /** Where in the ring's memory the record of this claim is to be written. */
    static int offset(long claim) {
        return (int) claim & RecordRingLayout.OFFSET_MASK;
    }

    /**
     * Shows the record to the consumer.
     *
     * @param length bytes written: at most as many as were claimed
     */
    void commit(long claim, int length);

    /** Bytes in front of the contents of a record that has a head. */
    int CONTENTS = RecordRingLayout.LINE_BYTES;

    /**
     * Takes space for a record and shows its head at once, whose contents are still to be written, {@link #CONTENTS} bytes
     * behind {@link #offset}: so the consumer learns whom they are for while they are copied. Must be followed by {@link
     * #commitContents}: such a claim can be neither committed nor aborted.
     *
     * @param length bytes of contents, not negative
     * @return the claim, not negative; or {@link #BACK_PRESSURE} or {@link #TOO_LONG}
     */
    long claimWithHead(int length, long head);

    /** Shows the contents of a {@linkplain #claimWithHead record with a head}. */
    void commitContents(long claim);

    /** Gives a claim up; the consumer skips it. */
    void abort(long claim);
}
