package org.galerna.link;

/**
 * What something takes beside the heap: from the least, when no message has been sent yet, to the most, when every rank has talked
 * to all others in all ways. What lies between two ranks is counted at the one that it leads to. Memory that the program asks
 * for itself is not counted.
 *
 * @param ofRank what each rank takes
 * @param ofProcess what each process takes, however many ranks it has
 * @param ofHost what the ranks of a host take together, however many there are
 */
public record Footprint(Amounts ofRank, Amounts ofProcess, Amounts ofHost) {
    /** What ranks take, and nothing for process and host. */
    public static Footprint ofRank(Amounts amounts) {
        return new Footprint(amounts, Amounts.NOTHING, Amounts.NOTHING);
    }

    /** Both. */
    public Footprint plus(Footprint other) {
        return new Footprint(ofRank.plus(other.ofRank), ofProcess.plus(other.ofProcess), ofHost.plus(other.ofHost));
    }

    /** What so many ranks in so many processes of one host take. */
    public Amounts inAll(int ranks, int processes) {
        return ofRank.times(ranks).plus(ofProcess.times(processes)).plus(ofHost);
    }

    /**
     * An amount.
     *
     * @param least at the start
     * @param most the bound
     */
    public record Range(long least, long most) {
        /** Nothing. */
        public static final Range NOTHING = new Range(0, 0);

        /** What is there from the start, and stays. */
        public static Range exactly(long amount) {
            return new Range(amount, amount);
        }

        /** Nothing at first. */
        public static Range upTo(long most) {
            return new Range(0, most);
        }

        /** Both. */
        public Range plus(Range other) {
            return new Range(least + other.least, most + other.most);
        }

        /** So many times as much. */
        public Range times(long factor) {
            return new Range(factor * least, factor * most);
        }
    }

    /**
     * Of everything.
     *
     * @param memory bytes outside the heap for messages, those of {@code sharedFiles} among them
     * @param openFiles descriptors that the process has open, sockets and selectors among them
     * @param threads of the system
     * @param sharedFiles names in the folders of shared memory
     */
    public record Amounts(Range memory, Range openFiles, Range threads, Range sharedFiles) {
        /** Nothing. */
        public static final Amounts NOTHING = new Amounts(Range.NOTHING, Range.NOTHING, Range.NOTHING, Range.NOTHING);

        /** Memory alone. */
        public static Amounts memory(Range bytes) {
            return new Amounts(bytes, Range.NOTHING, Range.NOTHING, Range.NOTHING);
        }

        /** Threads alone. */
        public static Amounts threads(Range number) {
            return new Amounts(Range.NOTHING, Range.NOTHING, number, Range.NOTHING);
        }

        /** Both. */
        public Amounts plus(Amounts other) {
            return new Amounts(
                    memory.plus(other.memory),
                    openFiles.plus(other.openFiles),
                    threads.plus(other.threads),
                    sharedFiles.plus(other.sharedFiles));
        }

        /** So many times as much. */
        public Amounts times(long factor) {
            return new Amounts(
                    memory.times(factor), openFiles.times(factor), threads.times(factor), sharedFiles.times(factor));
        }
    }
}
