package org.galerna.launch;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.counters.OwnProcess;

/**
 * Main class of a JVM that runs one job, as described by its arguments (see {@link JobDescription#toArguments}), and
 * ends with the job's exit status. The report of a job that went wrong goes to the standard error output.
 */
public final class JobMain {
    private static final long PARENT_LOOK_NANOS = 300_000_000;

    private static final byte[] OUT_OF_MEMORY =
            "galerna: the ranks have used up the memory of their JVM; -Xmx gives them more, e.g. -Xmx4g\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private JobMain() {}

    /** Runs the job and ends the JVM. */
    public static void main(String[] arguments) {
        run(JobDescription.fromArguments(List.of(arguments)));
    }

    /** Runs the job in this JVM, which does nothing else, and ends it. */
    public static void run(JobDescription description) {
        RankSystemLoader.install();
        try {
            begin(description);
        } catch (OutOfMemoryError full) {
            // the ranks have left nothing for the end of the job either, and do not stop to take
            System.err.writeBytes(OUT_OF_MEMORY);
            Runtime.getRuntime().halt(ExitStatus.FAILED);
        }
    }

    private static void begin(JobDescription description) {
        description.parent().ifPresent(parent -> endWithParent(parent, description.classPath()));
        // programs look up where they are from
        System.setProperty(
                "java.class.path",
                description.classPath() + File.pathSeparator + System.getProperty("java.class.path", ""));
        // programs that open devices by themselves look there
        description.device().ifPresent(device -> System.setProperty(ThreadJob.DEVICE_PROPERTY, device));
        OwnProcess.runs(description.mainClass(), description.arguments());
        description.modules().announce(description.mainClass());
        JobEnd.run(description.toJob());
    }

    /** If the process that has started this one is killed, nobody is left who could end the job. */
    private static void endWithParent(long parent, String classPath) {
        if (!isParent(parent)) {
            ClassesFolder.removeFrom(classPath);
            Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
        }
        ClassesFolder.keepFirstOf(classPath);
        // not by ProcessHandle.onExit: the JDK's thread for that looks like one that waits for the program
        Thread.ofPlatform().daemon().name("galerna-parent").start(() -> {
            while (isParent(parent)) {
                LockSupport.parkNanos(PARENT_LOOK_NANOS);
            }
            ClassesFolder.removeFrom(classPath);
            System.exit(ExitStatus.INTERRUPTED);
        });
    }

    /** Another process becomes the parent when the parent ends. */
    private static boolean isParent(long process) {
        return ProcessHandle.current().parent().map(ProcessHandle::pid).equals(Optional.of(process));
    }
}
