package org.galerna.profile.otf2;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The file of definitions: what events name by numbers. Kinds count from 0, in the order in which they are defined. */
final class Definitions implements AutoCloseable {
    private static final int CLOCK = 0x05;
    private static final int STRING = 0x0a;
    private static final int NODE = 0x0c;
    private static final int LOCATION_GROUP = 0x0d;
    private static final int LOCATION = 0x0e;
    private static final int REGION = 0x0f;
    private static final int GROUP = 0x12;
    private static final int COMMUNICATOR = 0x16;
    private static final int INTERCOMMUNICATOR = 0x2b;

    private static final int PROCESS = 1;
    private static final int CPU_THREAD = 1;
    private static final int COMM_LOCATIONS = 4;
    private static final int OLD_COMM_LOCATIONS = 6;
    private static final int COMM_GROUP = 5;
    private static final int OLD_COMM_GROUP = 4;
    private static final int UNKNOWN_OLD_ROLE = 0;
    private static final int NO_FLAGS = 0;
    private static final long TICKS_PER_SECOND = 1_000_000_000;

    private final RecordFile file;
    private final Fields fields = new Fields();
    private final Map<String, Integer> strings = new HashMap<>();
    private int nodes;
    private int regions;
    private int groups;

    Definitions(Path path, int chunkSize) throws IOException {
        file = new RecordFile(path, chunkSize, false);
    }

    /** How many there are. */
    long number() {
        return file.records();
    }

    /**
     * The clock; before all others.
     *
     * @param length nanoseconds from the first event to the last
     * @param begin nanoseconds since 1970 at time 0
     */
    void clock(long length, long begin) throws IOException {
        file.add(
                CLOCK,
                fields.clear().number(TICKS_PER_SECOND).number(0).number(length).number(begin));
        string("");
    }

    private int string(String text) throws IOException {
        Integer known = strings.get(text);
        if (known != null) {
            return known;
        }
        int id = strings.size();
        strings.put(text, id);
        file.add(STRING, fields.clear().number(id).text(text));
        return id;
    }

    /** A machine, or a host within it. */
    int node(String name, String kind, long parent) throws IOException {
        int nameId = string(name);
        int kindId = string(kind);
        int id = nodes++;
        file.add(NODE, fields.clear().number(id).number(nameId).number(kindId).number(parent));
        return id;
    }

    /** A rank. */
    void rank(int id, String name, int node) throws IOException {
        int nameId = string(name);
        file.add(
                LOCATION_GROUP,
                fields.clear()
                        .number(id)
                        .number(nameId)
                        .raw(PROCESS)
                        .number(node)
                        .number(Fields.UNDEFINED));
    }

    /** A thread of a rank. */
    void location(long id, String name, long events, int rank) throws IOException {
        int nameId = string(name);
        file.add(
                LOCATION,
                fields.clear()
                        .number(id)
                        .number(nameId)
                        .raw(CPU_THREAD)
                        .number(events)
                        .number(rank));
    }

    /** What a thread can be in. */
    void region(String name, String description, String source, int line, int role, int paradigm) throws IOException {
        int nameId = string(name);
        int descriptionId = string(description);
        long sourceId = source.isEmpty() ? Fields.UNDEFINED : string(source);
        int id = regions++;
        file.add(
                REGION,
                fields.clear()
                        .number(id)
                        .number(nameId)
                        .number(descriptionId)
                        .raw(UNKNOWN_OLD_ROLE)
                        .number(sourceId)
                        .number(line)
                        .number(line)
                        .number(nameId)
                        .raw(role)
                        .raw(paradigm)
                        .number(NO_FLAGS));
    }

    /** The first locations are those of the ranks, in their order; before all communicators. */
    void ranks(int number) throws IOException {
        group(
                "ranks",
                OLD_COMM_LOCATIONS,
                COMM_LOCATIONS,
                IntStream.range(0, number).boxed().toList());
    }

    private int group(String name, int oldKind, int kind, List<Integer> members) throws IOException {
        int nameId = string(name);
        int id = groups++;
        fields.clear().number(id).number(nameId).raw(oldKind).number(members.size());
        members.forEach(fields::number);
        file.add(GROUP, fields.raw(kind).raw(Paradigms.MPI).number(NO_FLAGS));
        return id;
    }

    /** A communicator of these ranks. */
    void communicator(int id, String name, List<Integer> members) throws IOException {
        int groupId = group(name, OLD_COMM_GROUP, COMM_GROUP, members);
        int nameId = string(name);
        file.add(
                COMMUNICATOR,
                fields.clear()
                        .number(id)
                        .number(nameId)
                        .number(groupId)
                        .number(Fields.UNDEFINED)
                        .number(NO_FLAGS));
    }

    /** A communicator between two groups; it is numbered among the others. */
    void intercommunicator(int id, String name, List<Integer> one, List<Integer> other) throws IOException {
        int oneId = group(name + ", one group", OLD_COMM_GROUP, COMM_GROUP, one);
        int otherId = group(name + ", the other group", OLD_COMM_GROUP, COMM_GROUP, other);
        int nameId = string(name);
        file.add(
                INTERCOMMUNICATOR,
                fields.clear()
                        .number(id)
                        .number(nameId)
                        .number(oneId)
                        .number(otherId)
                        .number(Fields.UNDEFINED)
                        .number(NO_FLAGS));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
