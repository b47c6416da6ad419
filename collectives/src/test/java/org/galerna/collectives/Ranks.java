package org.galerna.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.RankList;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.wireup.TestJobs;

/** A job whose ranks are platform threads of this JVM, one for each; they live as long as a task. */
final class Ranks implements AutoCloseable {
    /** Context of the collectives in tests. */
    static final int CONTEXT = 7;

    private final Device[] devices;

    private Ranks(int size) {
        devices = new Device[size];
    }

    /** What one rank does. */
    @FunctionalInterface
    interface Task {
        void run(Team team) throws Exception;
    }

    static Ranks of(int size) {
        return of(size, DeviceOptions.DEFAULT, UnaryOperator.identity());
    }

    static Ranks of(int size, DeviceOptions options, UnaryOperator<Device> decoration) {
        return placed(Placement.together(size), options, decoration);
    }

    /** A job whose ranks take themselves to be on the given hosts, one for each. */
    static Ranks onHosts(int[] hosts, DeviceOptions options, UnaryOperator<Device> decoration) {
        return placed(Placement.onHosts(hosts), options, decoration);
    }

    /** A job whose ranks take themselves to be where they are said to be. */
    static Ranks placed(Placement placement, DeviceOptions options, UnaryOperator<Device> decoration) {
        int size = placement.size();
        Ranks ranks = new Ranks(size);
        List<InProcessWireup> wireups = TestJobs.of(size);
        ranks.onThreads(rank -> ranks.devices[rank] =
                decoration.apply(Devices.open("smdev", new PlacedWireup(wireups.get(rank), placement), options)));
        return ranks;
    }

    /** A job on the given hosts for algorithms that go by them, and on one heap for all others. */
    static Ranks servedBy(Algorithm algorithm, int[] hosts, UnaryOperator<Device> decoration) {
        return algorithm.restrictions().groups() == Groups.NONE
                ? of(hosts.length, DeviceOptions.DEFAULT, decoration)
                : onHosts(hosts, DeviceOptions.DEFAULT, decoration);
    }

    /** Numbers of hosts as they stand in the arguments of tests: one digit for each rank. */
    static int[] hosts(String digits) {
        return Placement.digits(digits);
    }

    int size() {
        return devices.length;
    }

    Device device(int rank) {
        return devices[rank];
    }

    /** Runs a task on the team of all ranks. */
    void run(Task task) {
        int[] everybody = new int[devices.length];
        for (int rank = 0; rank < everybody.length; rank++) {
            everybody[rank] = rank;
        }
        onThreads(rank -> task.run(new Team(devices[rank], RankList.of(everybody), CONTEXT)));
    }

    @FunctionalInterface
    interface RankTask {
        void run(int rank) throws Exception;
    }

    /** Runs a task on each rank; if one fails, the rank leaves the job, so that the others do not wait for ever. */
    void onThreads(RankTask task) {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < devices.length; rank++) {
            int self = rank;
            threads.add(Thread.ofPlatform().name("rank " + rank).start(() -> {
                try {
                    task.run(self);
                } catch (Throwable failure) {
                    failures.add(failure);
                    if (devices[self] != null) {
                        devices[self].close();
                    }
                }
            }));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while ranks were running", interrupted);
        }
        Throwable first = failures.poll();
        if (first != null) {
            failures.forEach(first::addSuppressed);
            throw new AssertionError("the first rank to fail: " + first.getMessage(), first);
        }
    }

    @Override
    public void close() {
        onThreads(rank -> devices[rank].close());
    }
}
