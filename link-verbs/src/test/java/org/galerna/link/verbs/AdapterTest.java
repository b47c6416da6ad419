package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The link on adapters: software RoCE and iWARP of the Linux kernel, in a virtual machine. An emulated processor takes too
 * long for the whole contract in one go, so each test here takes what one kind of adapter and of connecting adds.
 */
@Tag("slow")
@Timeout(1800)
class AdapterTest {
    private static final String EXCHANGE = "-Dgalerna.verbs.connect=exchange";

    private static List<String> tests(String... methods) {
        return tests(VerbsLinkSuite.class, methods);
    }

    private static List<String> tests(Class<?> suite, String... methods) {
        return Stream.of(methods).map(method -> suite.getName() + "#" + method).toList();
    }

    private static void passes(boolean iwarp, List<String> options, List<String> tests) throws InterruptedException {
        assertThat(RdmaGuest.prepare(iwarp).runTests(options, tests)).contains(tests.size() + " tests have passed");
    }

    @Test
    void framesTravelOverRoceConnectedByRdmaCm() throws InterruptedException {
        passes(
                false,
                List.of(),
                tests(
                        "saysWhatItIsAndCan",
                        "carriesFramesOfEverySizeBothWays",
                        "keepsTheOrderOfEachPeer",
                        "refusesFramesLongerThanTheMaximumAndGoesOn",
                        "pressesBackWhileThePeerDoesNotPollAndLosesNothing",
                        "takesNoMoreFramesFromAPeerThanAsked",
                        "oneFlushServesManyCommits",
                        "takesSizesThatAreAskedFor",
                        "manyThreadsMayClaimAtOnceWhereThatWasAskedFor"));
    }

    @Test
    void regionsAreReachedOverRoce() throws InterruptedException {
        passes(
                false,
                List.of(),
                tests(
                        "getsAndPutsRegionsOfEverySize",
                        "refusesKeysThatAreWrongOrClosedAndRangesOutsideOnceEach",
                        "aRangeLongerThanTheRegionIsRefused",
                        "manyTransfersMayBeUnderWayAndCompleteOnceEach",
                        "goesOnWithoutThePeerWhereItSaysSo",
                        "transfersWithTheOwnRank",
                        "givesManyRegionsKeysOfTheirOwn",
                        "localMemoryMayBeConfinedToTheThreadThatTransfers"));
    }

    @Test
    void largeMessagesMayBeWrittenInsteadOfRead() throws InterruptedException {
        passes(
                false,
                List.of("-Dgalerna.verbs.rendezvous=write"),
                tests(
                        "getsAndPutsRegionsOfEverySize",
                        "refusesKeysThatAreWrongOrClosedAndRangesOutsideOnceEach",
                        "aRangeLongerThanTheRegionIsRefused"));
    }

    @Test
    void ranksConnectWithoutRdmaCm() throws InterruptedException {
        passes(
                false,
                List.of(EXCHANGE),
                tests(
                        "carriesFramesOfEverySizeBothWays",
                        "getsAndPutsRegionsOfEverySize",
                        "connectsAtTheFirstUseAndKeepsTheChannel",
                        "refusesClaimsToAPeerThatHasStopped"));
    }

    @Test
    void ranksLeaveAndSleepOverRoce() throws InterruptedException {
        passes(
                false,
                List.of(),
                tests(
                        "deliversTheLastFramesBeforeItReportsThePeerLost",
                        "refusesClaimsToAPeerThatHasStopped",
                        "everyStepOfClosingMayBeRepeated",
                        "closeImpliesTheOtherStepsAndFramesNobodyHasRead",
                        "whatIsUnderWayIsDrainedWhileThePeerReads",
                        "aClosedChannelDeliversWhatWasCommittedAndMakesWayForAnother",
                        "wakeUpEndsTheSleepOfEveryThread",
                        "aWakeUpBetweenAnnouncementAndSleepIsNotLost",
                        "sleepEndsWhenItsTimeIsOver"));
    }

    @Test
    void smallestQueuesAreBackPressureAndNoLoss() throws InterruptedException {
        passes(
                false,
                List.of("-Dgalerna.verbs.send.depth=1", "-Dgalerna.verbs.receive.depth=2", "-Dgalerna.verbs.inline=0"),
                tests(
                        "carriesFramesOfEverySizeBothWays",
                        "pressesBackWhileThePeerDoesNotPollAndLosesNothing",
                        "getsAndPutsRegionsOfEverySize"));
    }

    @Test
    void messagesTravelByIbvdev() throws InterruptedException {
        passes(
                false,
                List.of(),
                tests(
                        IbvdevSuite.class,
                        "everyWayToSendReachesEveryWayToReceiveAtEverySize",
                        "largeMessagesTravelBothWaysAtOnce",
                        "sendsFromAndReceivesIntoEveryKindOfBuffer",
                        "callsThatWaitForAPeerFailWhenItLeaves",
                        "argumentsThatAreWrongAreNamedAndChangeNothing"));
    }

    @Test
    void ranksThatAreProcessesTalkAndMissTheOneThatIsKilled() throws InterruptedException {
        passes(false, List.of(), tests(VerbsProcessesSuite.class, "ranksTalkAndOneThatIsKilledIsNamedByTheOther"));
    }

    @Test
    void framesAndRegionsTravelOverIwarp() throws InterruptedException {
        passes(
                true,
                List.of("-Dgalerna.verbs.adapter=siw0"),
                tests(
                        "carriesFramesOfEverySizeBothWays",
                        "getsAndPutsRegionsOfEverySize",
                        "refusesClaimsToAPeerThatHasStopped"));
    }
}
