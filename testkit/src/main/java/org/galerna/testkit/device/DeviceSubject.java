package org.galerna.testkit.device;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.wireup.TestJobs;

/** The device that a contract is checked on. */
public interface DeviceSubject {
    /** Opens the device for one rank. */
    Device open(Wireup wireup, DeviceOptions options);

    /** Wire-ups of a new job whose ranks run in this JVM, in the order of the ranks. */
    default List<? extends Wireup> newJob(int size) {
        return TestJobs.of(size);
    }

    /** What one rank of a test does with its device. */
    @FunctionalInterface
    interface Program {
        /** Runs with the rank's device, which is open on all ranks. */
        void run(Device device) throws Exception;
    }

    /** Runs a job with the default options. */
    default void runJob(int size, Program program) {
        runJob(size, DeviceOptions.DEFAULT, program);
    }

    /** Runs a job: every rank opens its device, runs the program and closes the device. */
    default void runJob(int size, DeviceOptions options, Program program) {
        runJob(RankThreads.factory(), size, options, program);
    }

    /** As {@link #runJob(int, DeviceOptions, Program)}, on threads of the given kind. */
    default void runJob(ThreadFactory factory, int size, DeviceOptions options, Program program) {
        List<? extends Wireup> job = newJob(size);
        RankThreads.run(factory, size, RankThreads.LIMIT, rank -> {
            try (Wireup wireup = job.get(rank);
                    Device device = open(wireup, options)) {
                program.run(device);
            }
        });
    }
}
