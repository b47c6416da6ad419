package org.galerna.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import org.galerna.bench.model.Simulation.Outcome;
import org.galerna.collectives.team.Trace;
import org.junit.jupiter.api.Test;

/** Times that follow from the model by hand. Seconds are whole numbers here, so that sums are exact. */
final class SimulationTest {
    private static final double LATENCY = 100;
    private static final double OVERHEAD = 10;
    private static final double GAP = 20;
    private static final double PER_BYTE = 1;
    private static final double OWN_PER_BYTE = 2;
    private static final long ANNOUNCED = 1000;

    private final Map<Level, LinkCost> links = new EnumMap<>(Level.class);

    SimulationTest() {
        links.put(Level.SOCKET, new LinkCost(1, 1, 1, 0.5, 0, ANNOUNCED));
        links.put(Level.HOST, new LinkCost(2, 1, 1, 0.5, 0, ANNOUNCED));
        links.put(Level.NETWORK, new LinkCost(LATENCY, OVERHEAD, GAP, PER_BYTE, OWN_PER_BYTE, ANNOUNCED));
    }

    private Machine machine(int ranksPerHost, int cores) {
        return machine(ranksPerHost, cores, 0);
    }

    private Machine machine(int ranksPerHost, int cores, int looks) {
        return machine(ranksPerHost, cores, new Sharing(looks, 7, 7, 30, 0, 0, 0), Room.UNLIMITED);
    }

    private Machine machine(int ranksPerHost, int cores, Sharing sharing, Room room) {
        return new Machine("test", ranksPerHost, 1, cores, sharing, room, 0.25, 0.5, HostMemory.FREE, links);
    }

    private static Outcome run(Machine machine, Rank... ranks) {
        Program program = new Program(ranks.length);
        for (Rank rank : ranks) {
            rank.steps(program.next());
            program.end();
        }
        program.match();
        return Simulation.run(machine, program, Double.POSITIVE_INFINITY).orElseThrow();
    }

    @FunctionalInterface
    private interface Rank {
        void steps(Trace trace);
    }

    private static Rank sends(int destination, long bytes) {
        return trace -> {
            trace.send(destination, bytes);
            trace.await(0);
        };
    }

    private static Rank receives(int source, long bytes) {
        return trace -> {
            trace.receive(source, bytes);
            trace.await(0);
        };
    }

    @Test
    void aShortMessageTakesBothRanksAndTheNetwork() {
        Outcome outcome = run(machine(1, 1), sends(1, 8), receives(0, 8));
        // overhead and 8 bytes of the sender, latency and 8 bytes of the network, the same of the receiver
        assertThat(outcome.seconds()).isEqualTo(10 + 16 + 100 + 8 + 10 + 16);
        assertThat(outcome.messagesBetweenHosts()).isEqualTo(1);
        assertThat(outcome.bytesBetweenHosts()).isEqualTo(8);
    }

    @Test
    void aLongMessageIsAnnouncedAndWaitsForItsReceive() {
        Rank late = trace -> {
            trace.copy(4000); // 1000 seconds
            trace.receive(0, 2000);
            trace.await(0);
        };
        Outcome outcome = run(machine(1, 1), sends(1, 2000), late);
        // from the receive: its word to the sender, the message, the receiver
        assertThat(outcome.seconds()).isEqualTo(1000 + (10 + 100) + (100 + 2000) + 10);
    }

    @Test
    void twoRanksOfAHostShareItsWayIntoTheNetwork() {
        Outcome outcome = run(machine(2, 2), sends(2, 500), sends(3, 500), receives(0, 500), receives(1, 500));
        double alone = 10 + 1000 + 100 + 500 + 10 + 1000;
        assertThat(outcome.seconds()).isEqualTo(alone + 500);
    }

    @Test
    void ranksOfAHostShareItsMemory() {
        HostMemory memory = new HostMemory(0.5, 0); // as much as one pair can use
        Machine machine = new Machine("test", 4, 1, 4, Sharing.FREE, Room.UNLIMITED, 0.25, 0.5, memory, links);
        double alone = 1 + 50 + 1 + 1;
        assertThat(run(machine, sends(1, 100), receives(0, 100), trace -> {}, trace -> {})
                        .seconds())
                .isEqualTo(alone);
        assertThat(run(machine, sends(1, 100), receives(0, 100), sends(3, 100), receives(2, 100))
                        .seconds())
                .isEqualTo(alone + 50);
        Rank combines = trace -> trace.combine(200);
        assertThat(run(machine, combines, combines, combines, combines).seconds())
                .isEqualTo(400);
    }

    private Machine machine(int ranks, int cores, HostMemory memory) {
        return new Machine("test", ranks, 1, cores, Sharing.FREE, Room.UNLIMITED, 0.25, 0.5, memory, links);
    }

    @Test
    void whatFitsIntoTheCacheDoesNotWaitForMemory() {
        Rank combines = trace -> trace.combine(200); // reads two vectors, and writes one of them
        assertThat(run(machine(4, 4, new HostMemory(0.5, 1600)), combines, combines, combines, combines)
                        .seconds())
                .isEqualTo(100);
        assertThat(run(machine(4, 4, new HostMemory(0.5, 1599)), combines, combines, combines, combines)
                        .seconds())
                .isEqualTo(400);
    }

    @Test
    void messagesOfRanksThatShareACoreAreCopiedFromMemoryToo() {
        HostMemory slow = new HostMemory(8, 299); // the message is read, written, and written once more
        // rank 0 comes first, and sleeps until the message is there; it is busy for 1 second, while half as much is
        // copied
        assertThat(run(machine(2, 1, slow), receives(1, 100), sends(0, 100)).seconds())
                .isEqualTo(1 + 800 + 1 + 400);
        // the message comes before its receive, and is written and read once more
        assertThat(run(machine(2, 1, slow), sends(1, 100), receives(0, 100)).seconds())
                .isEqualTo(1 + 800 + 400 + 800);
        HostMemory cached = new HostMemory(8, 300);
        assertThat(run(machine(2, 1, cached), sends(1, 100), receives(0, 100)).seconds())
                .isEqualTo(run(machine(2, 1, HostMemory.FREE), sends(1, 100), receives(0, 100))
                        .seconds());
    }

    @Test
    void callsInARowTouchTheSameMemory() {
        Program program = new Program(1, 2);
        Trace trace = program.next();
        for (int call = 0; call < 2; call++) {
            trace.send(1, 10);
            trace.receive(1, 30);
            trace.copy(100);
            trace.await(2 * call);
        }
        program.end();
        assertThat(program.touched(0, _ -> true)).isEqualTo(20 + 30 + 200);
        assertThat(program.touched(0, _ -> false)).isEqualTo(10 + 30 + 200);
    }

    @Test
    void messagesInsideAHostDoNotCountAsBetweenHosts() {
        Outcome outcome = run(machine(2, 2), sends(1, 8), receives(0, 8));
        assertThat(outcome.seconds()).isEqualTo(1 + 1 + 4 + 1);
        assertThat(outcome.messages()).isEqualTo(1);
        assertThat(outcome.messagesBetweenHosts()).isZero();
    }

    @Test
    void ranksThatShareACoreRunOneAfterTheOther() {
        Rank works = trace -> trace.combine(200); // 100 seconds
        assertThat(run(machine(4, 4), works, works, works, works).seconds()).isEqualTo(100);
        assertThat(run(machine(4, 2), works, works, works, works).seconds()).isEqualTo(200);
    }

    @Test
    void aRankWhoseCoreHasNothingElseToDoIsWoken() {
        Rank works = trace -> {
            trace.combine(200);
            trace.send(0, 8);
            trace.await(0);
        };
        Rank done = trace -> {};
        // ranks 0 and 2 share a core with rank 1, which works
        Outcome outcome = run(machine(3, 1), receives(1, 8), works, done);
        assertThat(outcome.seconds()).isCloseTo(100 + 1 + 1 + 30 + 7 + 1, within(1e-9));
    }

    @Test
    void aRankThatLooksForItsMessageTakesTurnsUntilItSleeps() {
        Rank works = trace -> {
            trace.combine(40); // 20 seconds
            trace.send(0, 8);
            trace.await(0);
        };
        // rank 1 gets the core at 0, and hands it on when it has sent; the message is there a turn later
        assertThat(run(machine(2, 1, 1), receives(1, 8), works).seconds()).isEqualTo(20 + 1 + 7 + 1);
        // with nobody else on the core, a rank that looks finds its message without being woken
        Rank done = trace -> {};
        assertThat(run(machine(3, 2, 20), receives(1, 8), works, done).seconds())
                .isLessThan(run(machine(3, 2, 0), receives(1, 8), works, done).seconds());
    }

    @Test
    void aRankIsWokenByTheCoreThatItGets() {
        Rank answers = trace -> {
            trace.receive(1, 8);
            trace.await(0);
            trace.combine(400); // 200 seconds
        };
        Rank sends = trace -> {
            trace.combine(40); // 20 seconds, in which the other one goes to sleep
            trace.send(0, 8);
            trace.await(0);
            trace.combine(400);
        };
        // rank 0 comes first, sleeps, and is woken when rank 1 has worked: for others its core is busy with that, too
        assertThat(run(machine(2, 1), answers, sends).seconds()).isEqualTo(20 + 1 + 200 + 30 + 7 + 1 + 200);
    }

    /** In their own order the ranks of a chain would all find their message. */
    @Test
    void theOrderInWhichRanksStartIsNotTheirs() {
        int size = 64;
        Rank[] chain = new Rank[size];
        for (int rank = 0; rank < size; rank++) {
            int self = rank;
            chain[rank] = trace -> {
                if (self > 0) {
                    trace.receive(self - 1, 8);
                    trace.await(0);
                }
                if (self < size - 1) {
                    trace.send(self + 1, 8);
                }
            };
        }
        assertThat(run(machine(size, 2), chain).seconds()).isGreaterThan(10 * 30);
    }

    /** Sends so many messages of 8 bytes one after the other. */
    private static Rank sendsOften(int destination, int count) {
        return trace -> {
            for (int number = 0; number < count; number++) {
                trace.send(destination, 8);
                trace.await(number);
            }
        };
    }

    /** Works for 1000 seconds, and receives so many messages then. */
    private static Rank receivesLate(int source, int count) {
        return trace -> {
            trace.combine(2000);
            for (int number = 0; number < count; number++) {
                trace.receive(source, 8);
                trace.await(number);
            }
        };
    }

    private double withRoom(Room room, Rank... ranks) {
        return run(machine(ranks.length, 2, new Sharing(0, 0, 0, 0, 0, 0, 0), room), ranks)
                .seconds();
    }

    @Test
    void aSenderWithoutRoomSleepsUntilTheReceiverHasLooked() {
        Rank done = trace -> {};
        Rank sender = sendsOften(1, 3);
        Rank receiver = receivesLate(0, 3);
        // all three lie there, and are taken one second each
        assertThat(withRoom(Room.UNLIMITED, sender, receiver, done)).isEqualTo(1000 + 3);
        // the third one waits: its sender sleeps for 300 and then twice as long; 5 late each; 3 to send it and to take
        // it
        Room two = new Room(2, 1000, 0, 0, 0, 300, 10_000, 5);
        double third = 2 + 305 + 605 + 1205;
        assertThat(withRoom(two, sender, receiver, done)).isEqualTo(third + 3);
        // never longer than the longest sleep
        Room often = new Room(2, 1000, 0, 0, 0, 300, 400, 5);
        assertThat(withRoom(often, sender, receiver, done)).isEqualTo(2 + 305 + 405 + 405 + 3);
    }

    @Test
    void bytesNeedRoomToo() {
        Rank done = trace -> {};
        Rank sender = trace -> {
            for (int number = 0; number < 2; number++) {
                trace.send(1, 300);
                trace.await(number);
            }
        };
        Rank receiver = trace -> {
            trace.combine(2000);
            for (int number = 0; number < 2; number++) {
                trace.receive(0, 300);
                trace.await(number);
            }
        };
        Room forBoth = new Room(9, 640, 0, 0, 0, 2000, 2000, 0);
        Room forOne = new Room(9, 639, 0, 0, 0, 2000, 2000, 0);
        assertThat(withRoom(forBoth, sender, receiver, done)).isLessThan(1100);
        assertThat(withRoom(forOne, sender, receiver, done)).isGreaterThan(2000);
    }

    @Test
    void aReceiverMakesRoomWhenItHasTakenWhatHadCome() {
        // it takes three from 1000 to 1003; a sender that looks for room at 1001 finds none, and at 1003 it does
        Room three = new Room(3, 1000, 0, 0, 0, 2, 2, 0);
        assertThat(withRoom(three, sendsOften(1, 4), receivesLate(0, 4), trace -> {}))
                .isEqualTo(1003 + 3);
    }

    @Test
    void aPairWithARingDoesNotNeedRoomInTheQueue() {
        Rank receiver = trace -> {
            trace.combine(2000);
            for (int number = 0; number < 4; number++) {
                trace.receive(number / 2, 8);
                trace.await(number);
            }
        };
        Room queue = new Room(2, 1000, 0, 0, 0, 5000, 5000, 0);
        Room ring = new Room(2, 1000, 1, 2, 1000, 5000, 5000, 0);
        assertThat(withRoom(queue, sendsOften(2, 2), sendsOften(2, 2), receiver))
                .isGreaterThan(5000);
        assertThat(withRoom(ring, sendsOften(2, 2), sendsOften(2, 2), receiver)).isLessThan(1100);
    }

    @Test
    void ranksThatWaitForRoomOfEachOtherTakeWhatHasCome() {
        Rank done = trace -> {};
        Room one = new Room(1, 1000, 0, 0, 0, 50, 50, 0);
        Rank[] both = new Rank[3];
        for (int rank = 0; rank < 2; rank++) {
            int other = 1 - rank;
            both[rank] = trace -> {
                for (int number = 0; number < 5; number++) {
                    trace.send(other, 8);
                    trace.await(number);
                }
                for (int number = 5; number < 10; number++) {
                    trace.receive(other, 8);
                    trace.await(number);
                }
            };
        }
        both[2] = done;
        assertThat(withRoom(one, both)).isPositive();
    }

    @Test
    void aMessageThatComesBeforeItsReceiveTakesLonger() {
        Rank done = trace -> {};
        Sharing keeping = new Sharing(0, 0, 0, 0, 0, 20, 3);
        Rank awaited = trace -> {
            trace.receive(0, 8);
            trace.combine(2000);
            trace.await(0);
        };
        Rank sendsLater = trace -> {
            trace.combine(40); // 20 seconds
            trace.send(1, 8);
        };
        assertThat(run(machine(3, 2, keeping, Room.UNLIMITED), sendsLater, awaited, done)
                        .seconds())
                .isEqualTo(1000 + 1);
        assertThat(run(machine(3, 2, keeping, Room.UNLIMITED), sends(1, 8), receivesLate(0, 1), done)
                        .seconds())
                .isEqualTo(1000 + 1 + 20 + 8 * 3);
    }

    @Test
    void theFirstMessageTakesLongerAfterOthersHaveHadTheCore() {
        Rank answers = trace -> {
            trace.receive(1, 8);
            trace.await(0);
            trace.send(1, 8);
        };
        Rank asks = trace -> {
            trace.combine(40); // 20 seconds
            trace.send(0, 8);
            trace.receive(0, 8);
            trace.await(1);
        };
        // rank 0 comes first; each of them finds its message when it has the core again
        double answer = 20 + 1 + (7 + 1 + 1) + 7 + 1;
        Sharing quick = new Sharing(1, 7, 7, 30, 0, 0, 0);
        assertThat(run(machine(2, 1, quick, Room.UNLIMITED), answers, asks).seconds())
                .isEqualTo(answer);
        Sharing slow = new Sharing(1, 7, 7, 30, 100, 0, 0);
        assertThat(run(machine(2, 1, slow, Room.UNLIMITED), answers, asks).seconds())
                .isEqualTo(answer + 2 * 100);
    }

    @Test
    void anyMessageWakesARankThatSleeps() {
        Rank early = trace -> {
            trace.combine(200); // 100 seconds
            trace.send(2, 8);
        };
        Rank late = trace -> {
            trace.combine(2000);
            trace.send(2, 8);
        };
        Rank waits = trace -> {
            trace.receive(0, 8);
            trace.receive(1, 8);
            trace.await(1);
            trace.await(0);
        };
        Sharing sharing = new Sharing(0, 0, 0, 30, 0, 0, 0);
        // what came first has been taken when the last one comes
        assertThat(run(machine(4, 3, sharing, Room.UNLIMITED), early, late, waits, trace -> {})
                        .seconds())
                .isEqualTo(1000 + 1 + 1 + 30 + 1);
    }

    @Test
    void anAnnouncedMessageIsFetchedWithTheCoreOfItsReceiver() {
        Rank done = trace -> {};
        double shared = run(
                        machine(6, 1), sends(2, 2000), sends(3, 2000), receives(0, 2000), receives(1, 2000), done, done)
                .seconds();
        double alone = run(machine(6, 1), sends(2, 2000), done, receives(0, 2000), done, done, done)
                .seconds();
        assertThat(alone).isGreaterThan(2000 * 0.5);
        assertThat(shared - alone).isGreaterThan(2000 * 0.5);
    }

    @Test
    void whatDoesNotFitTogetherIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(machine(1, 1), sends(1, 8), receives(0, 9)))
                .withMessage("rank 1 expects 9 bytes of rank 0, which sends 8");
        assertThatIllegalStateException()
                .isThrownBy(() -> run(machine(1, 1), sends(1, 8), trace -> {}))
                .withMessage("1 messages are not received");
        assertThatIllegalStateException()
                .isThrownBy(() -> run(machine(1, 1), receives(1, 8), trace -> {}))
                .withMessageContaining("waits for a message of rank 1 that is not sent");
    }

    @Test
    void ranksThatWaitForEachOtherAreFound() {
        Rank first = trace -> {
            trace.receive(1, 8);
            trace.await(0);
            trace.send(1, 8);
            trace.await(1);
        };
        Rank second = trace -> {
            trace.receive(0, 8);
            trace.await(0);
            trace.send(0, 8);
            trace.await(1);
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> run(machine(1, 1), first, second))
                .withMessageContaining("waits for ever");
    }

    @Test
    void messagesOfAPairMeetTheirReceivesInOrder() {
        Rank sender = trace -> {
            trace.send(1, 8);
            trace.send(1, 16);
            trace.await(0);
            trace.await(1);
        };
        Rank receiver = trace -> {
            trace.receive(0, 8);
            trace.receive(0, 16);
            trace.await(1);
            trace.await(0);
        };
        assertThat(run(machine(1, 1), sender, receiver).messages()).isEqualTo(2);
    }
}
