package org.galerna.launch.wireup;

import java.io.IOException;

/**
 * PMI-1, what MPICH's Hydra speaks, and Slurm with {@code --mpi=pmi2}: lines of {@code name=value} with blanks between
 * them, each question with one answer.
 */
final class Pmi1Manager implements JobManager {
    private static final String SEPARATOR = " ";
    private static final int DEFAULT_VALUE_LENGTH = 1024;

    /** Slurm reads lines into a buffer of 1024 bytes, whatever it says about the length of values. */
    private static final int LONGEST_LINE = 1000;

    /** More than the longest of our keys. */
    private static final int LONGEST_KEY = 48;

    private final PmiConnection connection;
    private final int rank;
    private final int size;
    private final String space;
    private final int valueLength;

    private Pmi1Manager(PmiConnection connection, int rank, int size) throws IOException {
        this.connection = connection;
        this.rank = rank;
        this.size = size;
        ask(PmiMessage.command("init").with("pmi_version", 1).with("pmi_subversion", 1), "response_to_init");
        PmiMessage limits = ask(PmiMessage.command("get_maxes"), "maxes");
        this.valueLength =
                limits.valueOrNull("vallen_max") == null ? DEFAULT_VALUE_LENGTH : limits.number("vallen_max");
        this.space = ask(PmiMessage.command("get_my_kvsname"), "my_kvsname").value("kvsname");
    }

    /** Through a connection that was inherited, with what the environment tells. */
    static Pmi1Manager inherited(PmiConnection connection, int rank, int size) throws IOException {
        return new Pmi1Manager(connection, rank, size);
    }

    /** Through a connection to a port, where the server tells what else the environment would. */
    static Pmi1Manager atPort(PmiConnection connection, String id) throws IOException {
        connection.sendLine(PmiMessage.command("initack").with("pmiid", id).text(SEPARATOR));
        receive(connection).requireSuccess("initack");
        int rank = -1;
        int size = -1;
        for (int settings = 0; settings < 3; settings++) {
            PmiMessage setting = receive(connection).requireSuccess("set");
            rank = setting.valueOrNull("rank") == null ? rank : setting.number("rank");
            size = setting.valueOrNull("size") == null ? size : setting.number("size");
        }
        if (rank < 0 || rank >= size) {
            throw new IOException("it says that this is rank " + rank + " of " + size);
        }
        return new Pmi1Manager(connection, rank, size);
    }

    private static PmiMessage receive(PmiConnection connection) throws IOException {
        return PmiMessage.parse(connection.readLine(), SEPARATOR);
    }

    private PmiMessage ask(PmiMessage question, String answer) throws IOException {
        connection.sendLine(question.text(SEPARATOR));
        return receive(connection).requireSuccess(answer);
    }

    @Override
    public String protocol() {
        return "PMI-1";
    }

    @Override
    public String job() {
        return space;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    /** A character less than the manager says, for the end of its string; and four characters carry three bytes. */
    @Override
    public int longestValue() {
        int around = putting("", "").text(SEPARATOR).length() + LONGEST_KEY;
        return Math.min(valueLength - 1, LONGEST_LINE - around) / 4 * 3;
    }

    private PmiMessage putting(String key, String value) {
        return PmiMessage.command("put").with("kvsname", space).with("key", key).with("value", value);
    }

    @Override
    public void put(String key, byte[] value) throws IOException {
        ask(putting(key, PmiValue.encode(value)), "put_result");
    }

    @Override
    public void fence() throws IOException {
        ask(PmiMessage.command("barrier_in"), "barrier_out");
    }

    @Override
    public byte[] get(int ofRank, String key) throws IOException {
        PmiMessage question = PmiMessage.command("get").with("kvsname", space).with("key", key);
        return PmiValue.decode(ask(question, "get_result").value("value"));
    }

    @Override
    public void abort(int status, String reason) throws IOException {
        connection.sendLine(PmiMessage.command("abort").with("exitcode", status).text(SEPARATOR));
    }

    @Override
    public void finish() throws IOException {
        ask(PmiMessage.command("finalize"), "finalize_ack");
    }
}
