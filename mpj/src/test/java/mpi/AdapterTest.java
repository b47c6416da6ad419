package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of this module with {@code ibvdev} in place of memory: software RoCE and iWARP of Linux, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class AdapterTest {
    private static void pass(boolean iwarp, List<String> options, Class<?>... tests) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("-Dgalerna.device=ibvdev"));
        all.addAll(options);
        assertThat(RdmaGuest.prepare(iwarp)
                        .runTests(all, Stream.of(tests).map(Class::getName).toList()))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void theMatrixOfMessagesHoldsOverRoce() throws InterruptedException {
        pass(
                false,
                List.of(RdmaGuest.SEVERAL_ADDRESSES),
                AdapterPingPongSuite.class,
                PingPongTest.class,
                PointToPointMatrixTest.class);
    }

    @Test
    @Tag("slow")
    void bufferedMessagesAndObjectsTravelOverRoce() throws InterruptedException {
        pass(false, List.of(RdmaGuest.SEVERAL_ADDRESSES), BufferedSendTest.class, ObjectMessagesTest.class);
    }

    @Test
    @Fault(value = 25, on = Fault.Where.VERBS)
    @Tag("slow")
    void theMatrixOfCollectivesHoldsOverRoce() throws InterruptedException {
        pass(
                false,
                List.of(RdmaGuest.SEVERAL_ADDRESSES),
                CollectivesMatrixTest.class,
                NonblockingCollectivesTest.class,
                InPlaceTest.class);
    }

    @Test
    @Tag("slow")
    void messagesOfEverySizeTravelWithoutRdmaCm() throws InterruptedException {
        pass(false, List.of("-Dgalerna.verbs.connect=exchange"), AdapterPingPongSuite.class);
    }

    /** On few ranks: what is emulated for iWARP is slower still. */
    @Test
    @Fault(value = 25, on = Fault.Where.VERBS)
    @Tag("slow")
    void collectivesHoldOverIwarp() throws InterruptedException {
        String matrix = CollectivesMatrixTest.class.getName() + "#dataArriveWhereTheyBelong(int)";
        assertThat(RdmaGuest.prepare(true)
                        .runTests(
                                List.of("-Dgalerna.device=ibvdev", "-Dgalerna.verbs.adapter=siw0"),
                                List.of("iteration:method:" + matrix + "[0..2]", InPlaceTest.class.getName())))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    @Tag("slow")
    void messagesTravelOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0"), AdapterPingPongSuite.class, PingPongTest.class);
    }

    @Test
    @Tag("slow")
    void theMatrixOfMessagesHoldsOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0"), PointToPointMatrixTest.class);
    }
}
