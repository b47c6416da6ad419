package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.link.Descriptor;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ShmRma with a peer that serves none of them. */
class AbandonedTransferTest {
    private static final int ASKER = 0;
    private static final int OWNER = 1;
    private static final Descriptor KEY = LinkRank.descriptor(new byte[] {0, 0, 0, 0, 1, 0, 0, 0});

    private final List<String> ends = new ArrayList<>();
    private SharedFolder folder;
    private Link asker;
    private Attachment owner;

    @BeforeEach
    void attachBoth() throws IOException {
        folder = new SharedFolder();
        List<InProcessWireup> job = SharedFolder.newJob(2);
        asker = LinkProvider.named("shm").open(job.get(ASKER), LinkOptions.DEFAULT);
        owner = Attachment.of(job.get(OWNER), null);
    }

    @AfterEach
    void leave() throws IOException {
        owner.close();
        folder.close();
    }

    private void start(boolean inward, int bytes) {
        MemorySegment memory = MemorySegment.ofArray(new byte[bytes]);
        if (inward) {
            asker.rma().get(OWNER, KEY, 0, memory, failure -> ends.add(String.valueOf(failure)));
        } else {
            asker.rma().put(OWNER, KEY, 0, memory, failure -> ends.add(String.valueOf(failure)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachEndsOnceWhenTheRankLeaves(boolean inward) {
        start(inward, 1 << 20); // more than there is room for, so that a put is under way
        start(inward, 100);
        assertThat(ends).isEmpty();
        asker.close();
        assertThat(ends).hasSize(2).allSatisfy(end -> assertThat(end).contains("could not copy", "has left the job"));
    }

    @Test
    void oneThatEndsMayStartTheNext() {
        MemorySegment memory = MemorySegment.ofArray(new byte[100]);
        asker.rma().get(OWNER, KEY, 0, memory, failure -> {
            ends.add("first");
            asker.rma().get(OWNER, KEY, 0, memory, second -> ends.add("second " + second));
        });
        asker.close();
        assertThat(ends).hasSize(2).first().isEqualTo("first");
        assertThat(ends.getLast()).contains("second", "could not copy 100 bytes");
    }
}
