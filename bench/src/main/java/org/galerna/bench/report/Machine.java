package org.galerna.bench.report;

/**
 * What a run was measured on.
 *
 * @param processor the processor's name as the system tells it
 * @param cores processors that the run could use
 * @param caches sizes of a core's caches, such as "L1d 32 KiB, L2 1 MiB, L3 32 MiB"
 * @param memoryBytes main memory
 * @param system operating system and kernel
 * @param java runtime that ran the Java systems
 */
public record Machine(String processor, int cores, String caches, long memoryBytes, String system, String java) {}
