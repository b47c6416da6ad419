package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program with {@code ibvdev} in place of memory: software RoCE of Linux, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class AdapterFdtdTest {
    /** One, four and six ranks. */
    private static final String TEST = FdtdTest.class.getName() + "#everyNumberOfRanksGivesTheSequentialResult(int)";

    @Test
    @Tag("slow")
    void severalNumbersOfRanksGiveTheSequentialResultOverRoce() throws InterruptedException {
        assertThat(RdmaGuest.prepare(false)
                        .runTests(List.of("-Dgalerna.device=ibvdev", RdmaGuest.SEVERAL_ADDRESSES), List.of(TEST)))
                .contains("3 tests have passed, 0 have failed");
    }

    @Test
    @Tag("slow")
    void severalNumbersOfRanksGiveTheSequentialResultOverIwarp() throws InterruptedException {
        assertThat(RdmaGuest.prepare(true)
                        .runTests(List.of("-Dgalerna.device=ibvdev", "-Dgalerna.verbs.adapter=siw0"), List.of(TEST)))
                .contains("3 tests have passed, 0 have failed");
    }

    @ParameterizedTest
    @CsvSource({"ucxdev, rc", "ucxdev, ud", "ofidev, verbs"})
    @Tag("slow")
    void severalNumbersOfRanksGiveTheSequentialResultOverLibraries(String device, String transport)
            throws InterruptedException {
        List<String> before = device.equals("ucxdev") ? RdmaGuest.ucx(transport) : RdmaGuest.LIBFABRIC;
        assertThat(RdmaGuest.prepare(false).runTests(before, List.of("-Dgalerna.device=" + device), List.of(TEST)))
                .contains("3 tests have passed, 0 have failed");
    }
}
