package org.galerna.bench.evaluation;

/**
 * How fast a program was.
 *
 * @param program such as "CG class A"
 * @param system what ran it
 * @param cores number of ranks or threads
 * @param value operations in a second; the best of the rounds
 * @param unit of the value
 */
public record Speed(String program, String system, int cores, double value, String unit) {}
