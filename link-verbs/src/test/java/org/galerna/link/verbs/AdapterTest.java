package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.LockedMemory;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The link and its device on adapters: software RoCE and iWARP of the Linux kernel, in a virtual machine. The whole
 * contracts once for each kind of adapter; what other ways to connect and to move large messages change, for each of them.
 */
@Tag("adapter")
@Timeout(3000)
class AdapterTest {
    private static final String EXCHANGE = "-Dgalerna.verbs.connect=exchange";
    private static final String WRITE = "-Dgalerna.verbs.rendezvous=write";

    private static List<String> methods(Class<?> suite, String... names) {
        return Stream.of(names).map(name -> suite.getName() + "#" + name).toList();
    }

    private static void pass(boolean iwarp, List<String> options, List<String> tests) throws InterruptedException {
        assertThat(RdmaGuest.prepare(iwarp).runTests(options, tests)).contains(" tests have passed, 0 have failed");
    }

    private static List<String> classes(Class<?>... suites) {
        return Stream.of(suites).map(Class::getName).toList();
    }

    /** In one guest, whose virtual machine for Java takes a third of a minute to start. */
    private static void passOverRoce(String part) throws InterruptedException {
        pass(
                false,
                List.of(RdmaGuest.SEVERAL_ADDRESSES, part),
                classes(
                        VerbsLinkSuite.class,
                        IbvdevSuite.class,
                        VerbsProcessesSuite.class,
                        VerbsFaultsSuite.class,
                        VerbsKilledSuite.class,
                        VerbsHybridSuite.class));
    }

    @Test
    void theContractsHoldOverRoceAndFaultsHitNobodyElse() throws InterruptedException {
        passOverRoce(RdmaGuest.QUICK);
    }

    @Test
    @Tag("slow")
    void theRestOfTheContractsAndFaultsHoldsOverRoceToo() throws InterruptedException {
        passOverRoce(RdmaGuest.REST);
    }

    @Test
    @Tag("slow")
    void largeMessagesMayBeWrittenInsteadOfRead() throws InterruptedException {
        List<String> tests = new ArrayList<>(methods(
                VerbsLinkSuite.class,
                "getsAndPutsRegionsOfEverySize",
                "refusesRangesOutsideAndDescriptorsThatAreNoneOnceEach",
                "aRangeLongerThanTheRegionIsRefused",
                "manyTransfersMayBeUnderWayAndCompleteOnceEach"));
        tests.addAll(methods(
                IbvdevSuite.class,
                "everyWayToSendReachesEveryWayToReceiveAtEverySize",
                "largeMessagesTravelBothWaysAtOnce"));
        tests.add(VerbsKilledSuite.class.getName());
        pass(false, List.of(WRITE), tests);
    }

    @Test
    @Tag("slow")
    void ranksConnectWithoutRdmaCm() throws InterruptedException {
        List<String> tests = new ArrayList<>(methods(
                VerbsLinkSuite.class,
                "carriesFramesOfEverySizeBothWays",
                "getsAndPutsRegionsOfEverySize",
                "connectsAtTheFirstUseAndKeepsTheChannel",
                "ranksMayConnectToEachOtherAtTheSameMoment",
                "refusesClaimsToAPeerThatHasStopped",
                "reportsEveryPeerThatLeavesOnceToEveryOther"));
        tests.addAll(classes(VerbsFaultsSuite.class, VerbsKilledSuite.class));
        pass(false, List.of(EXCHANGE, RdmaGuest.SEVERAL_ADDRESSES), tests);
    }

    @Test
    @Tag("slow")
    void smallestQueuesAreBackPressureAndNoLoss() throws InterruptedException {
        List<String> options =
                List.of("-Dgalerna.verbs.send.depth=1", "-Dgalerna.verbs.receive.depth=2", "-Dgalerna.verbs.inline=0");
        List<String> tests = new ArrayList<>(methods(
                VerbsLinkSuite.class,
                "carriesFramesOfEverySizeBothWays",
                "pressesBackWhileThePeerDoesNotPollAndLosesNothing",
                "getsAndPutsRegionsOfEverySize",
                "manyTransfersMayBeUnderWayAndCompleteOnceEach"));
        tests.addAll(methods(
                IbvdevSuite.class,
                "everyWayToSendReachesEveryWayToReceiveAtEverySize",
                "largeMessagesTravelBothWaysAtOnce"));
        pass(false, options, tests);
    }

    @Test
    @Tag("slow")
    void theContractOfLinksHoldsOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0"), classes(VerbsLinkSuite.class));
    }

    @Test
    @Tag("slow")
    void theContractOfDevicesHoldsOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0"), classes(IbvdevSuite.class));
    }

    private static void passWithin(int kibibytes, String test) throws InterruptedException {
        assertThat(RdmaGuest.prepare(false)
                        .runTests(LockedMemory.limit(kibibytes), List.of(), methods(VerbsLimitsSuite.class, test)))
                .contains("1 tests have passed, 0 have failed");
    }

    /** The other tier has a system that refuses memory, in an imitation. */
    @Test
    @Tag("slow")
    void aLimitOfLockedMemoryIsNamed() throws InterruptedException {
        passWithin(64, "whoMayLockHardlyAnyMemoryIsToldSo");
    }

    @Test
    @Tag("slow")
    void aLimitOfLockedMemoryIsWorkedAround() throws InterruptedException {
        passWithin(12 * 1024, "whatMayNotBeLockedGoesThroughBuffersThatAre");
    }
}
