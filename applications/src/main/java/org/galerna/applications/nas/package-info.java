/**
 * The kernels of the NAS Parallel Benchmarks, written from their specification (D. Bailey and others, "The NAS Parallel
 * Benchmarks", report RNR-94-007, 1994): conjugate gradients, Fourier transform, integer sort, multigrid, and random
 * pairs. Each rank may have several threads; one rank with threads is the version for shared memory. References are
 * never null unless they say so.
 */
@NullMarked
package org.galerna.applications.nas;

import org.jspecify.annotations.NullMarked;
