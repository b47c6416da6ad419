package org.galerna.collectives.team;

/**
 * What the choice of an algorithm depends on in a team; the same on all members, so that all come to the same choice.
 *
 * @param ranks members of the team, at least 1
 * @param oneHeap whether they share a heap
 * @param acrossHosts whether they are on at least two hosts, and at least two of them on the same one
 */
public record TeamShape(int ranks, boolean oneHeap, boolean acrossHosts) {}
