package org.galerna.nativeaccess.ofi;

/**
 * What a provider says of its endpoints.
 *
 * @param memoryMode bits that say how memory is registered
 * @param injectBytes longest message that may be injected
 * @param mostBytes longest message, and most bytes that are read or written at once
 * @param keepsOrder whether a message never comes before what was written to its receiver before
 * @param sends sends that may be under way
 * @param receives receives that may be posted
 */
record OfiLimits(int memoryMode, int injectBytes, int mostBytes, boolean keepsOrder, int sends, int receives) {
    private static final int MOST = 1 << 20;

    static OfiLimits of(OfiInfo info) {
        return new OfiLimits(
                info.half(OfiLayout.INFO_DOMAIN, OfiLayout.DOMAIN_MR_MODE),
                atMost(MOST, info.number(OfiLayout.INFO_TX, OfiLayout.TX_INJECT_BYTES)),
                atMost(Integer.MAX_VALUE, info.number(OfiLayout.INFO_EP, OfiLayout.EP_MOST_BYTES)),
                (info.number(OfiLayout.INFO_TX, OfiLayout.TX_MESSAGE_ORDER)
                                & 1L << OfiLayout.BIT_ORDER_SEND_AFTER_WRITE)
                        != 0,
                atMost(MOST, info.number(OfiLayout.INFO_TX, OfiLayout.TX_SIZE)),
                atMost(MOST, info.number(OfiLayout.INFO_RX, OfiLayout.RX_SIZE)));
    }

    /** A size of the library's, which means by the largest number that there is no limit. */
    private static int atMost(int most, long size) {
        return Long.compareUnsigned(size, most) < 0 ? (int) size : most;
    }

    /** Whether memory is registered in such a way. */
    boolean has(int mode) {
        return (memoryMode & mode) != 0;
    }
}
