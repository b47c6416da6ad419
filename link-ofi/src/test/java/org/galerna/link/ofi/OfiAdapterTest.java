package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.LockedMemory;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The device over an adapter: software RoCE of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class OfiAdapterTest {
    private static void pass(List<String> options, List<String> tests) throws InterruptedException {
        pass(List.of(), options, tests);
    }

    private static void pass(List<String> limits, List<String> options, List<String> tests)
            throws InterruptedException {
        List<String> before =
                Stream.concat(limits.stream(), RdmaGuest.LIBFABRIC.stream()).toList();
        assertThat(RdmaGuest.prepare(false).runTests(before, options, tests))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void messagesOfEverySizeTravelOverRoce() throws InterruptedException {
        pass(List.of(), List.of(OfidevSuite.class.getName() + "#everyWayToSendReachesEveryWayToReceiveAtEverySize"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "FI_MR_CACHE_MONITOR=memhooks"})
    @Tag("slow")
    void noFunctionOfTheSystemIsPatchedOverRoce(String variable) throws InterruptedException {
        List<String> before = variable.isEmpty() ? List.of() : List.of("env", variable);
        pass(before, List.of(), List.of(OfiHooksSuite.class.getName()));
    }

    @ParameterizedTest
    @CsvSource({
        "64, whoMayLockHardlyAnyMemoryIsToldSo",
        "73728, whoMayLockTooLittleToSendIsToldSoBeforehand",
        "159744, ranksOfOneProcessThatMayLockTooLittleTogetherAreToldSo",
        "172032, whoMayLockAsMuchAsIsNeededTalks"
    })
    @Tag("slow")
    void aLimitOfLockedMemoryIsNamed(int kibibytes, String test) throws InterruptedException {
        pass(LockedMemory.limit(kibibytes), List.of(), List.of(OfiLimitsSuite.class.getName() + "#" + test));
    }

    @Test
    @Tag("slow")
    void theContractHoldsOverRoce() throws InterruptedException {
        pass(List.of(RdmaGuest.QUICK), List.of(OfidevSuite.class.getName()));
    }

    @Test
    @Tag("slow")
    void theRestOfTheContractHoldsOverRoce() throws InterruptedException {
        pass(List.of(RdmaGuest.REST), List.of(OfidevSuite.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(strings = {RdmaGuest.QUICK, RdmaGuest.REST})
    @Tag("slow")
    void theContractOfLinksHoldsOverRoce(String part) throws InterruptedException {
        pass(List.of(part), List.of(OfiLinkSuite.class.getName()));
    }
}
