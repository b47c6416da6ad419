package org.galerna.launch.rendezvous;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Message} is about; its {@code rank}, {@code number} and {@code body} as said here, zero or empty where
 * nothing is said. {@code docs/launching.md} tells who sends what when. The order is part of the wire format.
 */
public enum Kind {
    // ---- from a rank's process to its agent

    /** A process is there. rank: its first; number: its process id; body: version of the protocol. */
    HELLO,
    /** A rank waits for all others. number: how many fences it has passed; body: the values that it publishes. */
    FENCE,
    /** A rank asks for values. number: the first rank whose value it wants; body: of how many, and the key. */
    GET,
    /** A rank has opened its device: from now on it may be asked what it does. */
    JOINED,
    /** A rank leaves what it has attached to. number: 1 if it wants to know who stays, else 0; body: the name of that. */
    LEAVES,
    /** A rank ends the job. number: exit status; body: reason. */
    ABORT,
    /** A rank that shares its process has ended the job by its exit. number: the exit status. */
    EXITED,
    /** A thread of a rank has died of an exception. body: its name, the exception in lines, and of which kind it is. */
    FAILED,
    /** The program cannot be started. body: reason. */
    NOT_STARTED,
    /** No rank of a process can go on by itself. number: the round that was asked for; body: what waits for what. */
    STANDSTILL,
    /** The answer to {@link #WHERE}. body: where the ranks of the process are. */
    POSITIONS,
    /** A rank ends by itself. number: 1 if it has joined the others and has not finished, else 0. */
    BYE,

    // ---- from the agent to a rank's process

    /** The answer to {@link #HELLO}. body: {@link Welcome}. */
    WELCOME,
    /** All ranks have arrived. number: that of the fence; body: {@link CommonValue}s. */
    FENCED,
    /** They never will. body: reason. */
    FENCE_BROKEN,
    /** The answer to {@link #GET}. body: see {@link Values}. */
    VALUES,
    /** Which ranks stay. rank: the one that has asked; number: 1 if one has, 0 if no rank stays; body: name, and a set as bytes. */
    LEFT,
    /** A rank is gone. body: how it has ended. */
    GONE,
    /** The answer to {@link #BYE}. */
    GOODBYE,
    /** The ranks are asked where they are. */
    WHERE,
    /** The ranks are asked whether they stand still. number: round; body: 1 if time begins anew, else 0. */
    STANDING,
    /** The job is over, as far as this process or agent is concerned; also the answer to {@link #HELLO} then. */
    END,

    // ---- from the launcher to an agent; also FENCED with the values of all ranks, LEFT, GONE, WHERE, STANDING and END

    /** What to start. body: {@code AgentJob}. */
    START,
    /** A piece of standard input for the first rank. body: the bytes; none for its end. */
    INPUT,

    // ---- from an agent to the launcher; also what ranks say but for HELLO and GET

    /** The agent is there. body: name of its host. */
    READY,
    /** Output of a process. number: 1 or 2, the stream; body: the bytes. */
    OUTPUT,
    /** A piece of input is written. */
    INPUT_TAKEN,
    /** A process has ended. rank: its first; number: exit status, 128 more than the signal that has killed it. */
    ENDED,
    /** Something to tell the user, as where ranks are bound. body: lines. */
    NOTE,
    /** The agent cannot do what {@link #START} says. body: reason. */
    PROBLEM,
    /** All processes have ended, and their output is delivered. */
    DONE;

    private static final Kind[] ALL = values();

    @SuppressWarnings("EnumOrdinal") // the order is part of the wire format
    byte code() {
        return (byte) ordinal();
    }

    /** The kind with that number; null if there is none. */
    static @Nullable Kind of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }
}
