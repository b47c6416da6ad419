package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.junit.jupiter.api.Test;

class LeaversTest {
    private final Leavers leavers = new Leavers(3);

    private List<Message> leaves(int rank, String name) {
        return leavers.hear(Message.of(Kind.LEAVES, rank, 0, name));
    }

    private List<Message> asks(int rank, String name) {
        return leavers.hear(Message.of(Kind.LEAVES, rank, 1, name));
    }

    private static void assertSays(List<Message> said, int rank, long number, String name, int... staying) {
        assertThat(said).singleElement().satisfies(message -> {
            assertThat(message.kind()).isEqualTo(Kind.LEFT);
            assertThat(message.rank()).isEqualTo(rank);
            assertThat(message.number()).isEqualTo(number);
            FieldReader fields = message.fields();
            assertThat(fields.text()).isEqualTo(name);
            assertThat(BitSet.valueOf(fields.bytes()).stream()).containsExactly(box(staying));
        });
    }

    private static Integer[] box(int... numbers) {
        return Arrays.stream(numbers).boxed().toArray(Integer[]::new);
    }

    @Test
    void tellsAllOnceWhenAllHaveLeft() {
        assertThat(leaves(0, "a")).isEmpty();
        assertThat(leaves(2, "a")).isEmpty();
        assertThat(leaves(2, "b")).isEmpty();
        assertSays(leaves(1, "a"), 0, 0, "a");
        assertThat(leaves(1, "a")).isEmpty();
    }

    @Test
    void tellsARankThatAsksWhichRanksStay() {
        leaves(2, "a");
        assertSays(asks(2, "a"), 2, 1, "a", 0, 1);
        leaves(0, "a");
        assertSays(asks(0, "a"), 0, 1, "a", 1);
        leaves(1, "a");
        assertSays(asks(0, "a"), 0, 1, "a");
    }

    @Test
    void countsARankThatHasEndedAsOneThatHasLeft() {
        leaves(0, "a");
        leaves(0, "b");
        leaves(1, "a");
        assertSays(leavers.end(2), 0, 0, "a");
        assertSays(asks(0, "b"), 0, 1, "b", 1);
        assertSays(leavers.end(1), 0, 0, "b");
        assertThat(leavers.end(0)).isEmpty();
    }
}
