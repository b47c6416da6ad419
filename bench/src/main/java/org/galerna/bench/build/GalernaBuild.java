package org.galerna.bench.build;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import org.galerna.launch.BindTo;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobMain;
import org.galerna.memory.Cpus;

/**
 * A build of Galerna, and how its programs are started.
 *
 * <p><b>What builds of different age agree on.</b> An older {@code galerna.jar} takes part by what it can do already, so these
 * stay as they are: the command {@code run -n N --bind-to core|none --deadlock-timeout 0 -cp PATH CLASS ARGUMENT...}; the agent
 * option {@code exclude=PORT}; the names of the {@linkplain #WORKERS workers}, their arguments, and the lines that they read
 * and write. A worker may learn new benchmarks, and refuses those that it does not know.
 *
 * @param system what the results of this build are called
 * @param classPath as {@code java -cp} takes it
 * @param isJar whether ranks that are threads are started by the command of the build itself, which is one archive
 */
public record GalernaBuild(String system, String classPath, boolean isJar) {
    /** What results of the build that measures are called. */
    public static final String GALERNA = "galerna";

    /** What results of an older build are called that it is compared with. */
    public static final String BASELINE = "baseline";

    /** The programs of a build that are measured: of ranks as threads, of processes, of messaging, and of sockets. */
    public static final List<String> WORKERS = List.of(
            "org.galerna.bench.galerna.MpiRank",
            "org.galerna.bench.galerna.ProcessRanks",
            "org.galerna.bench.galerna.ThreadRanks",
            "org.galerna.bench.messaging.MessagingRank",
            "org.galerna.bench.sockets.SocketWork");

    private static final String TITLE = "Galerna";
    private static final int MAGIC = 0xcafebabe;
    private static final int CLASS_FILES_OF_JAVA_1 = 44;
    private static final int MAJOR_VERSION_AT = 6;

    /** This process's own. */
    public static GalernaBuild own() {
        return new GalernaBuild(GALERNA, GalernaPath.classPath(), false);
    }

    /** This process's own, started as a baseline is; empty if it is not one archive. */
    public static Optional<GalernaBuild> ownJar() {
        String path = GalernaPath.classPath();
        return path.contains(File.pathSeparator) || !path.endsWith(".jar")
                ? Optional.empty()
                : Optional.of(new GalernaBuild(GALERNA, path, true));
    }

    /**
     * An older build to compare with.
     *
     * @throws UnusableJarException if the file cannot take part
     */
    public static GalernaBuild baseline(Path file) throws UnusableJarException {
        check(file);
        return new GalernaBuild(BASELINE, file.toAbsolutePath().normalize().toString(), true);
    }

    private static void check(Path file) throws UnusableJarException {
        if (!Files.exists(file)) {
            throw new UnusableJarException("there is no file " + file);
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UnusableJarException(file + " is not a file that can be read");
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            if (!TITLE.equals(attributes.getValue(Attributes.Name.IMPLEMENTATION_TITLE))
                    || attributes.getValue(Attributes.Name.MAIN_CLASS) == null) {
                throw new UnusableJarException(file + " is not a galerna.jar");
            }
            for (String worker : WORKERS) {
                ZipEntry entry = jar.getEntry(worker.replace('.', '/') + ".class");
                if (entry == null) {
                    throw new UnusableJarException(file + " is too old to be measured: it has no " + worker);
                }
                checkVersion(file, jar, entry);
            }
        } catch (ZipException noArchive) {
            throw new UnusableJarException(file + " is not a galerna.jar: it is no archive", noArchive);
        } catch (IOException unreadable) {
            throw new UnusableJarException(file + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static void checkVersion(Path file, JarFile jar, ZipEntry entry) throws IOException, UnusableJarException {
        try (InputStream in = jar.getInputStream(entry)) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(MAJOR_VERSION_AT + Short.BYTES));
            boolean isClass = head.remaining() == MAJOR_VERSION_AT + Short.BYTES && head.getInt(0) == MAGIC;
            if (!isClass) {
                throw new UnusableJarException(file + " is damaged: " + entry.getName() + " is no class");
            }
            int needed = head.getShort(MAJOR_VERSION_AT) - CLASS_FILES_OF_JAVA_1;
            if (needed > Runtime.version().feature()) {
                throw new UnusableJarException(file + " needs Java " + needed + " or newer, and this is Java "
                        + Runtime.version().feature());
            }
        }
    }

    /** Where it is and when that was written, for a report; the version is that of the manifest. */
    public String describe() {
        Path file = Path.of(classPath);
        try (JarFile jar = new JarFile(file.toFile())) {
            String version = Optional.ofNullable(jar.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .orElse("");
            return version + " (" + file + ", written " + Files.getLastModifiedTime(file) + ")";
        } catch (IOException gone) {
            return classPath;
        }
    }

    /**
     * The command up to the main class, which is the caller's to add. All builds get the options that this one has for ranks.
     *
     * @param options of the virtual machine
     */
    public List<String> java(List<String> options) {
        List<String> command = GalernaJvm.upToOptions(options);
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        return command;
    }

    /** The command of a program whose ranks are threads of one virtual machine, each on a core of its own where there are as many. */
    public List<String> ranksAsThreads(int ranks, String mainClass, List<String> arguments) {
        BindTo bindTo = ranks <= Cpus.available() ? BindTo.CORE : BindTo.NONE;
        if (isJar) {
            List<String> command = new ArrayList<>();
            command.add(javaProgram());
            // what only starts another virtual machine should not spend time on compiling itself
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", classPath, "run"));
            command.addAll(List.of("-n", Integer.toString(ranks)));
            command.addAll(List.of("--bind-to", bindTo == BindTo.CORE ? "core" : "none"));
            command.addAll(List.of("--deadlock-timeout", "0", "-cp", classPath, mainClass));
            command.addAll(arguments);
            return command;
        }
        List<String> command = java(List.of());
        command.add(JobMain.class.getName());
        JobDescription job = new JobDescription(
                ranks,
                classPath,
                mainClass,
                arguments,
                Optional.empty(),
                false,
                bindTo,
                false,
                Duration.ZERO,
                Duration.ZERO,
                OptionalLong.empty());
        command.addAll(job.toArguments());
        return command;
    }

    /** Options that have Java use fast sockets of this build, but for connections to the given port. */
    public List<String> fastSockets(int plainPort) {
        return List.of("--enable-native-access=ALL-UNNAMED", "-javaagent:" + classPath + "=exclude=" + plainPort);
    }

    private static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
