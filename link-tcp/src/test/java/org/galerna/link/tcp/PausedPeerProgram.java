package org.galerna.link.tcp;

import java.io.IOException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.link.LinkRank;

/**
 * What the ranks of {@link PausedPeersTest} run: {@link #PEER} is lost while {@link #TALKER} has paused its connection to it. The
 * argument says how far that has got; all others say when they have heard of the loss.
 */
final class PausedPeerProgram {
    static final int SIZE = 6;
    static final int TALKER = 0;
    static final int PEER = 3;

    /** Before the reason. */
    static final String LOST = "lost: ";

    static final String READY = "ready";

    /** What there is between the two. */
    enum Way {
        /** No connection. */
        PAUSED,
        /** No connection, and the talker sends when it is told to, without a look before. */
        SENDING,
        /** One that the talker has left, which the peer has not read to its end. */
        HALF,
        /** The same, and the next one, with messages that nobody reads. */
        NEXT,
        /** The same as {@link #HALF}, and the talker sends when it is told to. */
        CALLING
    }

    private final LinkRank rank;
    private final Way way;

    private PausedPeerProgram(LinkRank rank, Way way) {
        this.rank = rank;
        this.way = way;
    }

    public static void main(String[] arguments) throws IOException {
        try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
            new PausedPeerProgram(rank, Way.valueOf(arguments[0])).run();
        }
    }

    private void run() throws IOException {
        switch (rank.rank()) {
            case TALKER -> talk();
            case PEER -> answer();
            default -> {
                if (rank.rank() == 2 || rank.rank() == 4) { // not neighbours, so that the talker has too many
                    rank.expect(TALKER, 8, 1);
                    rank.send(TALKER, 8, 2);
                }
                say(READY);
            }
        }
        rank.pollUntil("the loss", () -> rank.lost().containsKey(PEER));
        say(LOST + rank.lost().get(PEER));
    }

    private void talk() throws IOException {
        LinkState link = LinkState.of(rank.link());
        for (int peer : new int[] {PEER, 2, 4}) {
            rank.send(peer, 8, 1);
            rank.expect(peer, 8, 2);
        }
        rank.pollUntil("paused", () -> link.isPaused(PEER));
        if (way == Way.PAUSED || way == Way.SENDING) {
            rank.pollUntil("paused by both", () -> !link.isConnected(PEER));
        } else if (way == Way.NEXT) {
            rank.send(PEER, 8, 3);
            rank.pollUntil("sent again", () -> link.hasSentAll(PEER));
        }
        say(READY);
        if (way == Way.SENDING || way == Way.CALLING) {
            int ignored = System.in.read();
            rank.sendIfThere(PEER, 8, 3);
            say("sent");
        }
    }

    private void answer() throws IOException {
        rank.expect(TALKER, 8, 1);
        rank.send(TALKER, 8, 2);
        say(READY);
        if (way != Way.PAUSED && way != Way.SENDING) {
            int ignored = System.in.read(); // and looks at nothing
        }
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
