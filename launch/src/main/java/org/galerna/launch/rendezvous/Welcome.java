package org.galerna.launch.rendezvous;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/**
 * What a process of ranks learns when it has found its agent.
 *
 * @param job name of the job
 * @param size number of ranks of the job
 * @param oneHost whether all of them are on this host
 * @param cores the processors that each rank of the process is bound to; empty if ranks are not bound
 * @param everywhere the processors that ranks which are not bound may run on; empty if none is bound
 * @param deadlockTimeout for how long nothing must move until the ranks count as standing still; zero for no such watch
 */
public record Welcome(
        String job, int size, boolean oneHost, List<BitSet> cores, BitSet everywhere, Duration deadlockTimeout) {
    /** A welcome with the list copied. */
    public Welcome {
        cores = List.copyOf(cores);
    }

    /** This as the body of a message. */
    public FieldWriter write() {
        FieldWriter fields =
                new FieldWriter().text(job).number(size).flag(oneHost).list(cores, Welcome::write);
        write(fields, everywhere);
        return fields.number(deadlockTimeout.toNanos());
    }

    /** The reverse of {@link #write}. */
    public static Welcome read(FieldReader fields) {
        return new Welcome(
                fields.text(),
                fields.number(),
                fields.flag(),
                fields.list(Welcome::readMask),
                readMask(fields),
                Duration.ofNanos(fields.longNumber()));
    }

    private static void write(FieldWriter fields, BitSet mask) {
        long[] words = mask.toLongArray();
        fields.number(words.length);
        for (long word : words) {
            fields.number(word);
        }
    }

    private static BitSet readMask(FieldReader fields) {
        int length = fields.number();
        BitSet mask = new BitSet();
        for (int index = 0; index < length; index++) {
            BitSet word = BitSet.valueOf(new long[] {fields.longNumber()});
            for (int bit = word.nextSetBit(0); bit >= 0; bit = word.nextSetBit(bit + 1)) {
                mask.set(index * Long.SIZE + bit);
            }
        }
        return mask;
    }
}
