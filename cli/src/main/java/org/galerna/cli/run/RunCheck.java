package org.galerna.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.cli.options.Folders;
import org.galerna.cli.options.JvmOptions;
import org.galerna.cli.options.ProcessOptions;
import org.galerna.cli.options.SettingsCheck;
import org.galerna.cli.program.Program;
import org.galerna.cli.usage.UsageException;
import org.galerna.device.Devices;
import org.galerna.launch.JobCost;
import org.galerna.launch.process.PlainStart;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RunCommand} refuses before it starts anything.
 *
 * @param ranks null if no option says their number
 * @param device null if no option names one
 * @param confirmed whether the job starts whatever it costs
 */
record RunCheck(
        @Nullable Integer ranks,
        @Nullable String device,
        List<String> jvmOptions,
        ProcessOptions processOptions,
        Program program,
        boolean confirmed) {
    static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * Checks the options.
     *
     * @throws UsageException if they cannot be what is meant
     */
    void run() throws IOException, InterruptedException {
        if (ranks != null && ranks < 1) {
            throw new UsageException("-n takes a number from 1, not " + ranks);
        }
        if (device != null) {
            SettingsCheck.checkDevice("-dev", device);
            SettingsCheck.checkReach("-dev", device, processOptions.isOneProcess(ranks == null ? processors() : ranks));
        }
        if (ranks != null) {
            checkCost(ranks);
        }
        checkJvmOptions();
        SettingsCheck.checkProperties(jvmOptions, this::checkDeviceHere);
        program.complaint().ifPresent(complaint -> {
            if (processOptions.areAllHere()) {
                throw new UsageException(complaint);
            }
            System.err.println("galerna: " + complaint + " on this host");
        });
    }

    private void checkJvmOptions() throws IOException, InterruptedException {
        for (String option : jvmOptions) {
            if (!option.startsWith("-")) {
                throw new UsageException("-J takes an option of Java, such as -J-Xmx4g, not \"" + option + "\"");
            }
            checkIsNotForPlainJava(option, PlainStart.RANKS, "-n gives the number of ranks");
            checkIsNotForPlainJava(
                    option, PlainStart.PROCESSES, "--procs makes ranks processes, and -n gives their number");
        }
        if (processOptions.areAllHere()) {
            JvmOptions.check(jvmOptions);
        }
    }

    private static void checkIsNotForPlainJava(String option, String property, String instead) {
        if (option.equals("-D" + property) || option.startsWith("-D" + property + "=")) {
            throw new UsageException(property + " is for programs that plain java starts; here " + instead);
        }
    }

    /** Other hosts have memory and processors that are not known here. */
    private void checkCost(int number) {
        if (confirmed || !processOptions.areAllHere()) {
            return;
        }
        processOptions
                .cost(number)
                .complaint("-n " + number, JobCost.availableMemory())
                .ifPresent(complaint -> {
                    throw new UsageException(complaint + "; --yes starts it anyway");
                });
    }

    /** Other hosts may have what this one lacks. */
    private void checkDeviceHere() {
        if (device != null && processOptions.areAllHere()) {
            Devices.obstacle(device).ifPresent(obstacle -> {
                throw new UsageException(obstacle);
            });
        }
    }

    /** A time that an option gives. */
    static Duration seconds(String option, double value) {
        if (!(value >= 0 && value < Integer.MAX_VALUE)) {
            throw new UsageException(option + " takes a number of seconds from 0, not " + value);
        }
        return Duration.ofMillis(Math.round(value * 1000));
    }

    /** The folder to run in, which is the current one if none is given. */
    static Path folder(@Nullable Path given) {
        Path folder = given == null ? Path.of("") : given;
        Folders.check("-wdir", folder);
        if (!Files.isExecutable(folder)) {
            throw new UsageException("-wdir " + folder + " cannot be entered");
        }
        return folder.toAbsolutePath();
    }
}
