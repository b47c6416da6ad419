package org.galerna.launch.wireup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.galerna.launch.meeting.MeetingFile;
import org.galerna.launch.meeting.Member;
import org.galerna.link.settings.Setting;
import org.galerna.nativeaccess.cache.CacheFolder;

/** A process that PALS has started, or Slurm as PALS would. The meeting of the ranks does what a manager does elsewhere. */
final class PalsManager implements JobManager {
    /** System property: the folder of the file through which ranks meet. */
    static final String FOLDER = "galerna.wireup.folder";

    private static final Setting<Optional<String>> CHOSEN_FOLDER =
            Setting.text(FOLDER, "folder on a file system of all hosts, where ranks that PALS has started meet");

    /** Environment: the launcher's name for the job. */
    static final String JOB = "PALS_APID";

    /** Environment: this process. */
    static final String RANK = "PALS_RANKID";

    /** Environment: a file that tells of all processes. */
    static final String INFO = "PALS_APINFO";

    /** Environment: what distinguishes steps of the same number, of two clusters, and of a job that was started again. */
    private static final String[] MORE_OF_JOB = {"SLURM_CLUSTER_NAME", "SLURM_RESTART_COUNT"};

    private static final int HEADER_BYTES = 84;
    private static final int VERSION_OFFSET = 0;
    private static final int TOTAL_OFFSET = 8;
    private static final int PROCESSES_OFFSET = 80;
    private static final int LONGEST_VALUE = 1 << 15;

    private final Member member;
    private final String job;
    private final int rank;
    private final int size;

    private PalsManager(Member member, String job, int rank, int size) {
        this.member = member;
        this.job = job;
        this.rank = rank;
        this.size = size;
    }

    /** Meets the other ranks of the job that the environment names. */
    static PalsManager join(Map<String, String> environment) throws IOException {
        StringBuilder job = new StringBuilder("pals-" + environment.get(JOB));
        for (String each : MORE_OF_JOB) {
            String value = environment.get(each);
            job.append(value == null ? "" : "-" + value);
        }
        int rank = Variables.number(environment, RANK);
        int size = size(environment);
        if (rank >= size) {
            throw new IOException(RANK + " is " + rank + " in a job of " + size);
        }
        MeetingFile file = MeetingFile.of(folder(), job.toString());
        Member member = Member.join(
                file,
                rank,
                size,
                ManagedWatch::startThread,
                waiting -> ProcessLife.say(
                        "galerna: " + waiting + "; that folder has to be on a file system that all hosts"
                                + " see, and -D" + FOLDER + "=FOLDER names another one\n"));
        return new PalsManager(member, job.toString(), rank, size);
    }

    private static Path folder() throws IOException {
        Optional<String> chosen = CHOSEN_FOLDER.get();
        return chosen.isPresent() ? Path.of(chosen.get()) : CacheFolder.ofUser().resolve("meetings");
    }

    /** Number of processes, as the file of the launcher says: after its version and sizes, there is a header of each table. */
    static int size(Map<String, String> environment) throws IOException {
        String file = environment.get(INFO);
        if (file == null) {
            throw new IOException("the environment has no " + INFO);
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER_BYTES)).order(ByteOrder.nativeOrder());
            if (header.remaining() < HEADER_BYTES) {
                throw new EOFException(file + " has " + header.remaining() + " bytes");
            }
            int processes = header.getInt(PROCESSES_OFFSET);
            if (header.getInt(VERSION_OFFSET) <= 0
                    || header.getLong(TOTAL_OFFSET) > Files.size(Path.of(file))
                    || processes <= 0) {
                throw new IOException(file + " is not what PALS writes");
            }
            return processes;
        }
    }

    @Override
    public String protocol() {
        return "PALS";
    }

    @Override
    public String job() {
        return job;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int longestValue() {
        return LONGEST_VALUE;
    }

    @Override
    public void put(String key, byte[] value) throws IOException {
        member.put(key, value);
    }

    @Override
    public void fence() throws IOException {
        member.fence();
    }

    @Override
    public byte[] get(int ofRank, String key) throws IOException {
        return member.get(ofRank, key);
    }

    @Override
    public void abort(int status, String reason) throws IOException {
        member.abort(status, reason);
    }

    @Override
    public void onAbort(IntConsumer ending) {
        member.onAbort(ending);
    }

    @Override
    public void finish() throws IOException {
        member.finish();
    }
}
