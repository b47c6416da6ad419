package org.galerna.link.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.galerna.link.CommunicationException;
import org.galerna.link.TransferCompletion;
import org.junit.jupiter.api.Test;

class PendingPutsTest {
    private final PendingPuts puts = new PendingPuts();
    private final List<String> ends = new ArrayList<>();

    private TransferCompletion noting(String name) {
        return failure -> ends.add(failure == null ? name : name + ": " + failure.getMessage());
    }

    @Test
    void aFlushOfNothingIsOverAtOnce() {
        puts.flush(noting("flush"));
        assertThat(ends).containsExactly("flush");
    }

    @Test
    void aFlushWaitsForThePutsBeforeItAndNotForThoseBehind() {
        TransferCompletion first = puts.begin(noting("first"));
        TransferCompletion second = puts.begin(noting("second"));
        puts.flush(noting("flush"));
        TransferCompletion third = puts.begin(noting("third"));
        second.completed(null);
        assertThat(ends).containsExactly("second");
        first.completed(null);
        assertThat(ends).containsExactly("second", "first", "flush");
        puts.flush(noting("last"));
        third.completed(null);
        assertThat(ends).endsWith("third", "last");
    }

    @Test
    void flushesEndInTheirOrder() {
        TransferCompletion early = puts.begin(noting("early"));
        puts.flush(noting("flush 1"));
        TransferCompletion late = puts.begin(noting("late"));
        puts.flush(noting("flush 2"));
        late.completed(null);
        assertThat(ends).containsExactly("late");
        early.completed(null);
        assertThat(ends).containsExactly("late", "early", "flush 1", "flush 2");
    }

    @Test
    void aPutThatHasFailedTellsSoByItself() {
        TransferCompletion first = puts.begin(noting("first"));
        TransferCompletion second = puts.begin(noting("second"));
        first.completed(new CommunicationException("it is gone"));
        second.completed(null);
        puts.flush(noting("flush"));
        assertThat(ends).containsExactly("first: it is gone", "second", "flush");
    }
}
