package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.junit.jupiter.api.Test;

class FarewellTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final String NAME = "what is left";

    private final List<String> asked = new ArrayList<>();
    private final List<BitSet> told = new ArrayList<>();
    private Consumer<BitSet> listener = _ -> {};

    private Farewell farewell(boolean knows) {
        return farewell(knows, false);
    }

    private Farewell farewell(boolean knows, boolean together) {
        Wireup real = InProcessWireup.create(2, (_, _, _) -> {}).getFirst();
        Wireup wireup = new ForwardingWireup(real) {
            @Override
            public boolean leave(String name, Consumer<BitSet> staying) {
                asked.add("leave " + name);
                listener = staying;
                return knows;
            }

            @Override
            public void askWhoStays(String name) {
                asked.add("ask " + name);
            }
        };
        return new Farewell(wireup, NAME, told::add, () -> together);
    }

    @Test
    void callsAtOnceWhereNobodyKnowsWhoLeaves() {
        assertThat(farewell(false).mayCall()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void waitsUntilAllHaveLeft() {
        Farewell farewell = farewell(true);
        assertThat(farewell.mayCall()).isFalse();
        listener.accept(new BitSet());
        assertThat(farewell.mayCall()).isTrue();
        assertThat(told).containsExactly(new BitSet());
        assertThat(asked).containsExactly("leave " + NAME);
    }

    @Test
    void waitsOnWhileOthersLeave() {
        Farewell farewell = farewell(true);
        assertThat(farewell.mayCall()).isFalse();
        BitSet staying = new BitSet();
        staying.set(1);
        listener.accept(staying);
        assertThat(farewell.mayCall()).isFalse();
        listener.accept(staying);
        assertThat(farewell.mayCall()).isTrue();
        assertThat(told).containsExactly(staying, staying);
    }

    @Test
    void asksAfterAWhileAndCallsIfThereIsNoAnswer() {
        Farewell farewell = farewell(true);
        Deadline.after(LONGEST).await("it asks", () -> !farewell.mayCall() && asked.size() == 2);
        assertThat(asked).containsExactly("leave " + NAME, "ask " + NAME);
        Deadline.after(LONGEST).await("it calls", farewell::mayCall);
        assertThat(asked).hasSize(2);
    }

    /** Where ranks tell each other, one that hears nothing calls a few, then more and more. */
    @Test
    void callsMoreAndMoreWhereRanksTellEachOther() {
        Farewell farewell = farewell(false, true);
        assertThat(farewell.mayCall()).isFalse();
        Deadline.after(LONGEST).await("it calls", farewell::mayCall);
        Deadline.after(LONGEST).await("it calls several", () -> farewell.mostCalls() >= 4);
        assertThat(farewell.mostCalls()).isLessThan(Integer.MAX_VALUE);
        assertThat(asked).containsExactly("leave " + NAME);
        assertThat(farewell(false).mostCalls()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void hearsFromOthersThatAllLeave() {
        Farewell farewell = farewell(false, true);
        assertThat(farewell.mayCall()).isFalse();
        farewell.hear(new BitSet());
        assertThat(farewell.mayCall()).isTrue();
        assertThat(told).containsExactly(new BitSet());
    }
}
