package org.galerna.collectives.team;

/**
 * What one rank does in a collective, step by step, as a {@link TracedTeam} tells it. Peers are ranks of the whole team.
 * Sends and receives are numbered together from 0, in the order in which they are started.
 */
public interface Trace {
    /** A send starts. */
    void send(int destination, long bytes);

    /** A receive starts. */
    void receive(int source, long bytes);

    /** What is received are lengths, so many of them, which other ranks tell this one. */
    void told(int lengths);

    /** The rank does nothing before a send or a receive is done. */
    void await(int number);

    /** The rank copies bytes. */
    void copy(long bytes);

    /** The rank combines vectors of so many bytes. */
    void combine(long bytes);
}
