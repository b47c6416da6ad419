package org.galerna.nativeaccess.verbs;

/**
 * Finds how much of a message an adapter takes inline. No verb tells, so queue pairs are made that ask for less and less,
 * until one can be made: as {@code ibvdev} does (Expósito et al., 2015, 6.1).
 */
public final class InlineProbe {
    /** Above it, the adapter's own read of the memory costs less than the processor's copy. */
    private static final int MOST = 512;

    private static final int STEP = 32;

    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final int sends;

    /** Of queue pairs with these queues. */
    public InlineProbe(ProtectionDomain domain, CompletionQueue completions, SharedReceiveQueue receives, int sends) {
        this.domain = domain;
        this.completions = completions;
        this.receives = receives;
        this.sends = sends;
    }

    /**
     * The limit, in bytes.
     *
     * @param wanted not more than this; negative for as much as is of use
     * @throws VerbsException if no queue pair at all can be made
     */
    public int limit(int wanted) throws VerbsException {
        int most = wanted < 0 ? MOST : wanted;
        for (int bytes = most; bytes > 0; bytes -= STEP) {
            try (QueuePair pair = domain.newQueuePair(completions, receives, sends, bytes)) {
                return Math.min(Math.max(bytes, pair.inlineLimit()), most);
            } catch (VerbsException tooMuch) {
                // less, then; what is wrong for another reason is wrong with 0 bytes too
            }
        }
        domain.newQueuePair(completions, receives, sends, 0).close();
        return 0;
    }
}
