/**
 * Benchmarks of the pieces with JMH. Each class says which decision of the design it judges; what was decided and what
 * the alternatives are stand side by side in one class, because only figures of one run can be compared. Those that
 * need package-private classes lie in the package of that name. References are never null unless they say so.
 */
@NullMarked
package org.galerna.microbench;

import org.jspecify.annotations.NullMarked;
