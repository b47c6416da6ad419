package org.galerna.bench.suite;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.bench.report.Unit;

/** What can be measured, and how a contender's answer becomes a value. */
public enum Benchmark {
    /** Half a round trip between two ranks. */
    LATENCY("latency", Unit.MICROSECONDS, Kind.PAIR),
    /** Windows of messages from one rank to another. */
    BANDWIDTH("bandwidth", Unit.GIGABYTES_PER_SECOND, Kind.STREAM),
    /** Windows both ways at once; the sum of both. */
    BIBANDWIDTH("bibandwidth", Unit.GIGABYTES_PER_SECOND, Kind.STREAM),
    /** Windows of short messages from half of the ranks to the other half. */
    RATE("rate", Unit.MILLION_MESSAGES_PER_SECOND, Kind.STREAM),
    /** Short messages from every rank to every other one; the sum of all. */
    EXCHANGE("exchange", Unit.MILLION_MESSAGES_PER_SECOND, Kind.STREAM),
    /** All wait for all. */
    BARRIER("barrier", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** One to all. */
    BCAST("bcast", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** Sum of vectors of doubles, at one rank. */
    REDUCE("reduce", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** Sum of vectors of doubles, at all ranks. */
    ALLREDUCE("allreduce", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** A block of each to all. */
    ALLGATHER("allgather", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** A block of each to each. */
    ALLTOALL("alltoall", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** A block of each to one. */
    GATHER("gather", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** A block of one to each. */
    SCATTER("scatter", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** Sum of vectors of doubles, a part at each rank. */
    REDUCESCATTER("reducescatter", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** Sums of the vectors of the ranks up to each. */
    SCAN("scan", Unit.MICROSECONDS, Kind.COLLECTIVE),
    /** A message to and fro on a connection. */
    ECHO("echo", Unit.MICROSECONDS, Kind.CONNECTION),
    /** Messages one after the other on a connection. */
    WRITES("stream", Unit.GIGABYTES_PER_SECOND, Kind.CONNECTION),
    /** An array of doubles to and fro on a connection. */
    ARRAYS_ECHO("arrays-echo-d", Unit.MICROSECONDS, Kind.CONNECTION),
    /** Arrays of doubles one after the other on a connection. */
    ARRAYS("arrays-d", Unit.GIGABYTES_PER_SECOND, Kind.CONNECTION),
    /** The same by the streams of objects of Java. */
    OBJECTS("objects-d", Unit.GIGABYTES_PER_SECOND, Kind.CONNECTION),
    /** A connection that is opened, has a byte to and fro, and is closed. */
    CONNECT("connect", Unit.MICROSECONDS, Kind.CONNECTION),
    /** Part of a transfer that goes on behind a computation. */
    OVERLAP("overlap", Unit.PERCENT, Kind.DIRECT),
    /** A store of rows: half reads, half updates. */
    STORE_A("store-a", Unit.MILLION_OPERATIONS_PER_SECOND, Kind.STORE),
    /** A store of rows: mostly reads. */
    STORE_B("store-b", Unit.MILLION_OPERATIONS_PER_SECOND, Kind.STORE),
    /** A store of rows: reads alone. */
    STORE_C("store-c", Unit.MILLION_OPERATIONS_PER_SECOND, Kind.STORE),
    /** A store of rows: mostly reads of what was inserted last. */
    STORE_D("store-d", Unit.MILLION_OPERATIONS_PER_SECOND, Kind.STORE),
    /** A store of rows: half reads, half reads and writes of the same row. */
    STORE_F("store-f", Unit.MILLION_OPERATIONS_PER_SECOND, Kind.STORE),
    /** Memory allocated for a message. */
    ALLOCATION("allocation", Unit.BYTES, Kind.DIRECT),
    /** Memory of the process or, of several, of that of rank 0. */
    RESIDENT("resident", Unit.BYTES, Kind.DIRECT),
    /** What a process costs that has nothing to do. */
    IDLE("idle", Unit.PERCENT_OF_A_CORE, Kind.DIRECT);

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MESSAGES_PER_NANO_IN_MILLIONS_PER_SECOND = 1e3;

    /** How a benchmark is run. */
    enum Kind {
        /** Ranks 0 and 1 take turns. */
        PAIR,
        /** Many messages are under way. */
        STREAM,
        /** All ranks take part. */
        COLLECTIVE,
        /** Clients of all ranks ask all ranks, each one thing after the other. */
        STORE,
        /** A client and a server. */
        CONNECTION,
        /** The answer is the value. */
        DIRECT
    }

    private final String word;
    private final Unit unit;
    private final Kind kind;

    Benchmark(String word, Unit unit, Kind kind) {
        this.word = word;
        this.unit = unit;
        this.kind = kind;
    }

    /** As in commands, reports and on the command line. */
    public String word() {
        return word;
    }

    /** What its values count. */
    public Unit unit() {
        return unit;
    }

    /** Whether all ranks take part in one operation. */
    public boolean isCollective() {
        return kind == Kind.COLLECTIVE;
    }

    /** Whether a contender answers with the value itself and not with nanoseconds. */
    boolean isDirect() {
        return kind == Kind.DIRECT;
    }

    /** How many of so many ranks send at once. */
    int sendingRanks(int ranks) {
        return this == EXCHANGE || kind == Kind.STORE ? ranks : ranks / 2;
    }

    /** The collectives. */
    public static List<Benchmark> collectives() {
        return Arrays.stream(values()).filter(Benchmark::isCollective).toList();
    }

    /** The mixes of operations on a store. */
    public static List<Benchmark> stores() {
        return Arrays.stream(values()).filter(each -> each.kind == Kind.STORE).toList();
    }

    /** Those of the sockets of two processes. */
    public static List<Benchmark> connections() {
        return Arrays.stream(values())
                .filter(each -> each.kind == Kind.CONNECTION)
                .toList();
    }

    /** The benchmark of that name, if there is one. */
    public static Stream<Benchmark> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word));
    }

    /**
     * The value of an answer, in the benchmark's unit.
     *
     * @param answer nanoseconds of all iterations, or of direct benchmarks the value
     * @param streams pairs of ranks, and of threads, that send at once
     */
    double value(Command command, double answer, int streams) {
        double iterations = command.iterations();
        return switch (this) {
            case LATENCY -> answer / 2 / iterations / NANOS_PER_MICRO;
            case BANDWIDTH -> iterations * command.window() * command.bytes() / answer;
            case BIBANDWIDTH -> 2 * iterations * command.window() * command.bytes() / answer;
            case RATE, EXCHANGE ->
                iterations * command.window() * streams / answer * MESSAGES_PER_NANO_IN_MILLIONS_PER_SECOND;
            case STORE_A, STORE_B, STORE_C, STORE_D, STORE_F ->
                iterations * streams / answer * MESSAGES_PER_NANO_IN_MILLIONS_PER_SECOND;
            case WRITES, ARRAYS, OBJECTS -> iterations * command.bytes() / answer;
            case OVERLAP, ALLOCATION, RESIDENT, IDLE -> answer;
            default -> answer / iterations / NANOS_PER_MICRO;
        };
    }
}
