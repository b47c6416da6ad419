package org.galerna.launch.wireup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * PMI-2, what Slurm speaks with {@code --mpi=pmi2}, and MPICH's Hydra: fields of {@code name=value;}, with the length of
 * the message in six characters before it. The connection begins with a line of PMI-1 that asks for version 2.
 */
final class Pmi2Manager implements JobManager {
    private static final String SEPARATOR = ";";
    private static final int LENGTH_CHARACTERS = 6;

    /** What PMI-2 lays down, with the end of the string. */
    private static final int VALUE_LENGTH = 1024;

    /** From any process of the job. */
    private static final int ANY_SOURCE = -1;

    private final PmiConnection connection;
    private final String job;
    private final int rank;
    private final int size;

    /**
     * @param id the manager's name for the job; may be empty
     * @param rank this process, as the environment tells
     */
    Pmi2Manager(PmiConnection connection, String id, int rank) throws IOException {
        this.connection = connection;
        connection.sendLine(PmiMessage.command("init")
                .with("pmi_version", 2)
                .with("pmi_subversion", 0)
                .text(" "));
        PmiMessage version = PmiMessage.parse(connection.readLine(), " ").requireSuccess("response_to_init");
        if (version.number("pmi_version") != 2) {
            throw new IOException("it speaks PMI-" + version.value("pmi_version") + " and not PMI-2");
        }
        PmiMessage hello = PmiMessage.command("fullinit");
        if (!id.isEmpty()) {
            hello.with("pmijobid", id);
        }
        PmiMessage self = ask(hello.with("pmirank", rank).with("threaded", "FALSE"), "fullinit-response");
        this.rank = self.number("rank");
        this.size = self.number("size");
        this.job = id.isEmpty()
                ? ask(PmiMessage.command("job-getid"), "job-getid-response").value("jobid")
                : id;
    }

    private PmiMessage ask(PmiMessage question, String answer) throws IOException {
        send(question);
        String length = connection.read(LENGTH_CHARACTERS);
        if (!length.strip().matches("\\d{1,6}")) {
            throw new IOException("a message begins with \"" + length + "\" and not with its length");
        }
        return PmiMessage.parse(connection.read(Integer.parseInt(length.strip())), SEPARATOR)
                .requireSuccess(answer);
    }

    private void send(PmiMessage message) throws IOException {
        String text = message.text(SEPARATOR) + SEPARATOR;
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        connection.send(String.format(Locale.ROOT, "%" + LENGTH_CHARACTERS + "d", length) + text);
    }

    @Override
    public String protocol() {
        return "PMI-2";
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
        return (VALUE_LENGTH - 1) / 4 * 3;
    }

    @Override
    public void put(String key, byte[] value) throws IOException {
        ask(PmiMessage.command("kvs-put").with("key", key).with("value", PmiValue.encode(value)), "kvs-put-response");
    }

    @Override
    public void fence() throws IOException {
        ask(PmiMessage.command("kvs-fence"), "kvs-fence-response");
    }

    @Override
    public byte[] get(int ofRank, String key) throws IOException {
        PmiMessage answer = ask(
                PmiMessage.command("kvs-get")
                        .with("jobid", job)
                        .with("srcid", ANY_SOURCE)
                        .with("key", key),
                "kvs-get-response");
        String found = answer.valueOrNull("found"); // Slurm's word
        if (!(found == null ? answer.value("flag") : found).equalsIgnoreCase("TRUE")) {
            throw new IOException("there is no value of key " + key);
        }
        return PmiValue.decode(answer.value("value"));
    }

    /** PMI-2 has no place for a status: the process has to end with it by itself. */
    @Override
    public void abort(int status, String reason) throws IOException {
        send(PmiMessage.command("abort").with("isworld", "TRUE").with("msg", reason.replaceAll("[;=\\s]+", " ")));
    }

    @Override
    public void finish() throws IOException {
        ask(PmiMessage.command("finalize"), "finalize-response");
    }
}
