package org.galerna.cli.profile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.usage.UsageException;
import org.galerna.link.process.TemporaryFolder;
import org.galerna.profile.ProfileSettings;
import org.galerna.profile.analysis.Profile;
import org.galerna.profile.analysis.ProfileReader;
import org.galerna.profile.calls.ProfileAgent;
import org.galerna.profile.file.RankFile;
import org.galerna.profile.otf2.Archive;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options {@code --profile} and {@code --otf2}. The ranks write their files to a folder beside the result, which a cluster shares as it shares the
 * program; it is removed when the result is written.
 */
public final class ProfileOption {
    private static final String NAME = "--profile";
    private static final String OTF2 = "--otf2";
    private static final String AFTER = "--profile-after";
    private static final double LATEST = 1e6;

    @Option(
            names = NAME,
            paramLabel = "FILE.html",
            description =
                    "record calls, messages and waits, and write a page with a timeline, who sends to whom, late ranks and advice; "
                            + "beside it FILE.json, and FILE.trace.json for Perfetto")
    private @Nullable Path file;

    @Option(
            names = OTF2,
            paramLabel = "FOLDER",
            description =
                    "record calls and messages, and write the first ones in the Open Trace Format 2, for Vampir, Scalasca "
                            + "and otf2-print")
    private @Nullable Path archive;

    @Option(
            names = AFTER,
            paramLabel = "SECONDS",
            description =
                    "begin to record so long after the start of the ranks; MPI.Pcontrol(0) and (1) in the program end it and begin it, too")
    private double after;

    private @Nullable TemporaryFolder folder;
    private final AtomicBoolean reported = new AtomicBoolean();

    /** An option that has not been given. */
    public ProfileOption() {}

    /** Whether the job is to be recorded. */
    public boolean isWanted() {
        return file != null || archive != null;
    }

    /**
     * Makes the ranks record.
     *
     * @param jvmOptions to which the necessary ones are added
     * @param processes whether the JVM loads the classes of the program itself
     */
    public void addTo(List<String> jvmOptions, boolean processes) {
        if (file != null) {
            checkPage(file);
        }
        if (archive != null) {
            OutputPath.checkNewFolder(OTF2, archive);
        }
        if (after != 0 && !isWanted()) {
            throw new UsageException(AFTER + " goes with " + NAME + " or " + OTF2);
        }
        if (!(after >= 0 && after <= LATEST)) {
            throw new UsageException(AFTER + " takes seconds from 0 to 1000000, not " + after);
        }
        if (!isWanted()) {
            return;
        }
        String option = file != null ? NAME : OTF2;
        Path result = file != null ? file : Objects.requireNonNull(archive);
        try {
            TemporaryFolder folderOfRanks = TemporaryFolder.makeHidden(
                    Objects.requireNonNull(result.toAbsolutePath().normalize().getParent()), "profile");
            folder = folderOfRanks;
            Path made = folderOfRanks.path();
            jvmOptions.add("-D" + ProfileSettings.FOLDER + "=" + made);
            if (after > 0) {
                jvmOptions.add("-D" + ProfileSettings.AFTER + "=" + after);
            }
            if (processes) {
                jvmOptions.add("-javaagent:" + agent(made));
            }
        } catch (IOException impossible) {
            throw new UsageException(option + " " + result + " cannot be written: " + impossible.getMessage());
        }
    }

    private void checkPage(Path page) {
        OutputPath.checkFile(NAME, page);
        if (beside(".json").equals(page) || beside(".trace.json").equals(page)) {
            throw new UsageException(
                    NAME + " takes the name of the page, such as run.html; the JSON gets its name from it");
        }
    }

    /** An archive that does nothing but name the agent, whose class is in that of Galerna. */
    private static Path agent(Path folder) throws IOException {
        Path agent = folder.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ProfileAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(agent)) {
            new JarOutputStream(out, manifest).close();
        }
        return agent;
    }

    /**
     * Writes what is wanted, once, and removes the files of the ranks.
     *
     * @param program what was run, for the title
     */
    public void report(String program) {
        TemporaryFolder ofRanks = folder;
        if (ofRanks == null || reported.getAndSet(true)) {
            return;
        }
        try {
            List<RankFile> files = ProfileReader.files(ofRanks.path());
            if (files.isEmpty()) {
                System.err.println(
                        "galerna: there is no profile: no rank has called MPI.Init, all were killed, or none could write its "
                                + "file");
            } else {
                write(files, program);
            }
        } catch (IOException failure) {
            System.err.println("galerna: the profile cannot be written: " + failure);
        } finally {
            ofRanks.close();
        }
    }

    private void write(List<RankFile> files, String program) throws IOException {
        if (file != null) {
            Profile profile = ProfileReader.of(files);
            Files.writeString(file, ProfilePage.of(program, profile));
            Files.writeString(beside(".json"), ProfileJson.of(program, profile));
            ProfileTrace.write(files, beside(".trace.json"));
            System.err.println(
                    "galerna: the profile is " + file + ", with " + beside(".json") + " and " + beside(".trace.json"));
        }
        if (archive != null) {
            Archive.write(files, program, archive);
            System.err.println("galerna: the trace is " + archive.resolve(Archive.anchor()));
        }
    }

    private Path beside(String ending) {
        Path page = Objects.requireNonNull(file);
        String name = page.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return page.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ending);
    }
}
