package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.verbs.connection.Connection;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Links over the {@link Imitation}, of which nothing is left after a test. */
abstract class ImitatedVerbs implements VerbsSubject {
    private final String connect;

    /** Told by a test which calls are to fail. */
    Imitation verbs;

    /**
     * Links whose queue pairs are connected in one way.
     *
     * @param connect a value of {@link Imitation#CONNECT}
     */
    ImitatedVerbs(String connect) {
        this.connect = connect;
    }

    static Connection connection(LinkRank rank, int peer) {
        return ((VerbsLink) rank.link()).connections().to(peer);
    }

    static QueuePair pair(LinkRank rank) {
        return connection(rank, 1).pair();
    }

    @BeforeEach
    void load() {
        verbs = Imitation.load();
        System.setProperty(Imitation.CONNECT, connect);
    }

    @AfterEach
    void nothingIsLeft() {
        System.clearProperty(Imitation.CONNECT);
        if (verbs != null) { // where it cannot be compiled the test was skipped, and this is called all the same
            assertThat(verbs.objects())
                    .as("objects of the libraries that were not destroyed")
                    .isZero();
        }
    }
}
