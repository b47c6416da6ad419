package org.galerna.launch.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.galerna.launch.BindTo;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobMain;
import org.galerna.launch.ProcessStart;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.link.process.PeerTimeout;
import org.galerna.nativeaccess.cache.CacheFolder;

/**
 * What the virtual machine of a rank need not do again: load, verify and link classes, and count which methods are worth
 * compiling. Another one has left it in a file, the JDK's ahead-of-time cache (JEP 483, 514 and 515). The file is made when
 * a job needs it for the first time, by a small job, and lies in the user's folder for caches. Everything here is for
 * speed alone: whatever goes wrong, ranks start without.
 */
public final class AotCache {
    /** Program of the job that makes the file: it uses what most programs use. */
    public static final String REHEARSAL = "org.galerna.mpj.Rehearsal";

    /** Main class of the command {@code galerna}, as the start script starts it. */
    private static final String LAUNCHER = "org.galerna.cli.Main";

    private static final String DRAFT = "draft";
    private static final String LOG = "log";

    /** Variable of the environment: if set, there are none. */
    private static final String NO_CACHE = "GALERNA_NO_ARCHIVE";

    private static final int REHEARSING = 2;

    /**
     * Argument of {@link #REHEARSAL}, for ranks that are processes: rank 1 ends as if it was killed, and the others fail for that. What rank
     * 0 then does, it does once more in each job that loses a rank, at the same time as all others.
     */
    public static final String WITH_LOSS = "with-loss";

    /** Argument of {@link #REHEARSAL}: the job fails, and so what a launcher does then is rehearsed. */
    private static final String WITH_FAILURE = "with-failure";

    /** Argument of {@link #REHEARSAL}: send so many messages of all kinds that the file has profiles of the methods that they need. */
    public static final String TRAINING = "training";

    private static final String NO_PROFILES = "-XX:-AOTRecordTraining";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Ranks that are given any of Galerna's properties look through the names of all. */
    private static final String A_PROPERTY = "-D" + PeerTimeout.PROPERTY + "=" + PATIENCE.toSeconds();

    /** When to try again after a failure, which may have been a moment in which this host had too much to do. */
    private static final Duration TRY_AGAIN = Duration.ofHours(1);

    /**
     * Options that do not go together with such a file, or bring one of their own. A virtual machine that refuses its file
     * has not even the JDK's own archive of classes, so that it starts more slowly than one that was given none.
     */
    private static final Pattern CONTRADICTING =
            Pattern.compile("(^|\\s)(--|@)|-Xshare|SharedArchive|ClassList|-XX:.?AOT"
                    + "|-XX:.*ArchiveClasses|-javaagent|-agentlib|-agentpath|-Xdebug|-Xrun|UseZGC|UseEpsilonGC|UseCompressed"
                    + "|UseCompact|ObjectAlignment|-Xverify|BytecodeVerification|-XX:Flags|system\\.class\\.loader|-Xbootclasspath"
                    + "|StartFlightRecording|MaxRAM|MaxHeap|MinRAM|HeapBaseMinAddress");

    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([kKmMgGtT]?)");

    /** From this heap on, in bytes, references are not compressed, and classes have another layout. */
    private static final long LARGE_HEAP = 31L << 30;

    private static final String TOTAL = "MemTotal:";
    private static final String UNIT = " kB";

    private AotCache() {}

    /**
     * The file for ranks that are processes, made if it is not there. There is none for ranks with a heap of
     * {@value #LARGE_HEAP} bytes and more.
     *
     * @param options of the ranks' virtual machines, as the user gave them
     * @param percent how much of the host's memory the heap of a rank may take, unless the options say it; 0 for what
     *     the virtual machine takes on its own
     * @param profiled with profiles of methods. They make a program come to speed sooner, and a start longer by a tenth: they are
     *     for ranks that have a processor each
     * @param asModule for ranks that have Galerna as a module, and not on their class path
     */
    static CacheChoice ofRanks(List<String> options, double percent, boolean profiled, boolean asModule) {
        String kind = (profiled ? "profiled-" : "ranks-") + (asModule ? "" : "mixed-");
        CacheChoice choice = of(kind, options, percent, draft -> runProcesses(draft, profiled, asModule));
        return asModule && choice.file().isPresent() ? choice.forModule() : choice;
    }

    /** Makes the file for processes that share processors if it is not there: the first job with many ranks need not wait for it. */
    public static void makeForCrowdedRanks() {
        CacheChoice ignored = ofRanks(List.of(), 0, false, GalernaPath.isModule());
    }

    /** The file for a process whose ranks are threads, otherwise as {@link #ofRanks}. */
    static CacheChoice ofThreads(List<String> options, double percent) {
        return of("threads-", options, percent, AotCache::runThreads);
    }

    /**
     * The file for a virtual machine whose ranks are threads, made if it is not there.
     *
     * @param options of the virtual machine, as the user gave them
     */
    public static CacheChoice ofThreads(List<String> options) {
        return ofThreads(options, 0);
    }

    /**
     * What makes a virtual machine leave a file behind when it ends. The better compiler is kept out: what the file says to have been compiled
     * by it is compiled by it at once, while a program starts. Options for using the file are here, too, so that there is no file if this
     * virtual machine does not know them.
     */
    static List<String> optionsToMake(Path file) {
        List<String> options = new ArrayList<>(GalernaJvm.AOT_USE);
        options.add("-XX:AOTCacheOutput=" + file);
        options.add(GalernaJvm.QUICK_COMPILER);
        return options;
    }

    private static CacheChoice of(String kind, List<String> options, double percent, Predicate<Path> maker) {
        String jar = GalernaPath.classPath();
        if (!jar.endsWith(".jar") || jar.contains(File.pathSeparator)) {
            return CacheChoice.none("Galerna's classes are not in one archive");
        }
        if (System.getenv(NO_CACHE) != null) {
            return CacheChoice.none(NO_CACHE + " is set");
        }
        Optional<String> contradicting = contradicting(options);
        if (contradicting.isPresent()) {
            return CacheChoice.none(contradicting.get() + " does not go together with one");
        }
        if (isLarge(options, percent)) {
            return CacheChoice.none("none is for heaps of " + (LARGE_HEAP >> 30) + " GiB and more");
        }
        try {
            Path folder = folder();
            String family = kind + hash(jar + "|" + System.getProperty("java.home")) + "-";
            Path file = folder.resolve(family + version(Path.of(jar)) + ".aot");
            if (hasFailedLongAgo(file)) {
                Files.deleteIfExists(file);
            }
            if (!Files.exists(file)) {
                make(folder, family, file, maker);
            }
            if (!Files.exists(file)) {
                return CacheChoice.none("another job makes it at this moment");
            }
            if (Files.size(file) > 0) {
                return CacheFiles.use(file)
                        ? CacheChoice.of(file)
                        : CacheChoice.none("it is being removed, and the next job makes it again");
            }
            return CacheChoice.none("it could not be made; " + logOf(file) + " says why, and " + file
                    + " is to be removed to try again at once");
        } catch (IOException | UncheckedIOException | SecurityException impossible) {
            return CacheChoice.none("it could not be made: " + impossible);
        }
    }

    private static boolean hasFailedLongAgo(Path file) throws IOException {
        return Files.exists(file)
                && Files.size(file) == 0
                && Files.getLastModifiedTime(file)
                        .toInstant()
                        .isBefore(Instant.now().minus(TRY_AGAIN));
    }

    /** An option that goes together with no such file, or the variable of the environment with options of every virtual machine that has one. */
    static Optional<String> contradicting(List<String> options) {
        return Stream.concat(
                        Stream.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
                                .filter(variable -> CONTRADICTING
                                        .matcher(System.getenv().getOrDefault(variable, ""))
                                        .find()),
                        options.stream()
                                .filter(option -> CONTRADICTING.matcher(option).find()))
                .findFirst();
    }

    /** The virtual machine itself keeps below the limit, unless it is told a size or a part of the memory. */
    static boolean isLarge(List<String> options, double percent) {
        for (String option : options.reversed()) {
            Matcher heap = HEAP.matcher(option);
            if (heap.matches()) {
                int shift = 10 * "kmgt".indexOf(heap.group(2).toLowerCase(Locale.ROOT)) + 10;
                long limit = LARGE_HEAP >> (heap.group(2).isEmpty() ? 0 : shift);
                return heap.group(1).length() > 18 || Long.parseLong(heap.group(1)) >= limit;
            }
        }
        return percent > 0 && percent / 100 * hostMemory() >= LARGE_HEAP;
    }

    /** In bytes; 0 where the system does not say it so. Without a stream: most launchers come here before they start ranks. */
    private static double hostMemory() {
        try (BufferedReader lines = Files.newBufferedReader(Path.of("/proc/meminfo"))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(TOTAL) && line.endsWith(UNIT)) {
                    String number = line.substring(TOTAL.length(), line.length() - UNIT.length());
                    return Long.parseLong(number.strip()) * 1024.0;
                }
            }
            return 0;
        } catch (IOException | NumberFormatException otherSystem) {
            return 0;
        }
    }

    private static Path folder() throws IOException {
        return CacheFolder.ofUser();
    }

    /** What makes an old file useless: another Java, another Galerna. */
    private static String version(Path jar) throws IOException {
        return hash(Runtime.version() + "|" + Files.size(jar) + "|" + Files.getLastModifiedTime(jar));
    }

    private static String hash(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    private static void make(Path folder, String family, Path file, Predicate<Path> maker) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null || Files.exists(file)) {
                return;
            }
            removeAll(folder, family);
            CacheFiles.removeUnused(folder);
            Path draft = folder.resolve(family + DRAFT);
            if (maker.test(draft) && Files.exists(draft)) {
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                Files.deleteIfExists(logOf(file));
            } else {
                Files.deleteIfExists(draft);
                // an empty file: not to be tried again for a while
                Files.createFile(file);
            }
        }
    }

    /** What the job has written that makes a file; it stays if that fails. */
    private static Path logOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return file.resolveSibling(name.substring(0, name.lastIndexOf('-') + 1) + LOG);
    }

    private static boolean runProcesses(Path draft, boolean profiled, boolean asModule) {
        try (OutputStream log = Files.newOutputStream(logOf(draft))) {
            JobResult result = rehearsal(asModule, profiled ? List.of(WITH_LOSS, TRAINING) : List.of(WITH_LOSS))
                    .jvmOptions(
                            profiled
                                    ? List.of(A_PROPERTY, GalernaJvm.QUICK_COMPILER)
                                    : List.of(A_PROPERTY, GalernaJvm.DIAGNOSTIC, NO_PROFILES))
                    .aotCache(draft)
                    .standardOutput(log)
                    .standardError(log)
                    .build()
                    .run();
            log.write(result.report().getBytes(StandardCharsets.UTF_8));
            return result.outcome() instanceof Outcome.Killed lost && lost.otherwise() instanceof Outcome.Completed;
        } catch (IOException impossible) {
            return false;
        }
    }

    private static ProcessJob.Builder rehearsal(boolean asModule, List<String> arguments) {
        return ProcessJob.builder()
                .ranks(REHEARSING)
                // with Galerna in its own class path, the program is of those that have it there
                .classPath(asModule ? "" : GalernaPath.classPath())
                .mainClass(REHEARSAL)
                .arguments(arguments)
                .timeout(PATIENCE)
                .standardInput(InputStream.nullInputStream());
    }

    /**
     * Has this process do what a launcher does when a job fails. The command itself would end the process.
     *
     * @return whether the job has failed, as it should
     */
    public static boolean rehearseFailure() {
        JobResult result =
                rehearsal(GalernaPath.isModule(), List.of(WITH_FAILURE)).build().run();
        System.err.print(result.report());
        return result.status() != 0;
    }

    /** Whether the program is a rehearsal of a job that loses a rank, so that the failure of this one is no failure of the job. */
    static boolean isWithLoss(String mainClass, String[] arguments) {
        return mainClass.equals(REHEARSAL) && List.of(arguments).contains(WITH_LOSS);
    }

    private static boolean runThreads(Path draft) {
        Path program;
        try {
            program = RehearsedProgram.write();
        } catch (IOException | UncheckedIOException impossible) {
            return false;
        }
        try {
            return runThreads(draft, program);
        } finally {
            ClassesFolder.remove(program);
        }
    }

    /**
     * Makes the file for a launcher that is the virtual machine of its job, too, by the same job.
     *
     * @return whether it is there now
     * @throws IOException if the program of the job cannot be written
     */
    public static boolean makeForLauncher(Path file) throws IOException {
        Path program = RehearsedProgram.write();
        try {
            List<String> command = GalernaJvm.upToOptions(List.of());
            command.addAll(GalernaJvm.optionsOfThreads(REHEARSING));
            command.addAll(optionsToMake(file));
            command.addAll(List.of("-cp", GalernaPath.classPath(), LAUNCHER, "run", "-n", String.valueOf(REHEARSING)));
            command.addAll(List.of("-cp", program.toString(), RehearsedProgram.NAME, TRAINING));
            return run(new ProcessBuilder(command).inheritIO()) && Files.exists(file);
        } finally {
            ClassesFolder.remove(program);
        }
    }

    private static JobDescription describe(Path program, OptionalLong parent) {
        return new JobDescription(
                REHEARSING,
                program.toString(),
                RehearsedProgram.NAME,
                List.of(TRAINING),
                Optional.empty(),
                false,
                BindTo.AUTO, // as most jobs
                false,
                PATIENCE,
                ThreadJob.DEADLOCK_TIMEOUT,
                parent);
    }

    private static boolean runThreads(Path draft, Path program) {
        List<String> command = GalernaJvm.ofThreads(REHEARSING, optionsToMake(draft));
        command.add(JobMain.class.getName());
        command.addAll(describe(program, OptionalLong.of(ProcessHandle.current().pid()))
                .toArguments());
        return run(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(logOf(draft).toFile()));
    }

    /** Whether a job has ended well, and soon enough. */
    private static boolean run(ProcessBuilder builder) {
        try {
            Process job = ProcessStart.start(builder);
            job.getOutputStream().close();
            if (job.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return job.exitValue() == 0;
            }
            job.destroyForcibly();
        } catch (IOException impossible) {
            // ranks start without
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static void removeAll(Path folder, String family) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, family + "*")) {
            for (Path each : files) {
                Files.deleteIfExists(each);
            }
        }
    }
}
