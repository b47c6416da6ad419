/**
 * Collectives on machines that are not here: the real algorithms are traced for every rank of a job, and a simulation says
 * how long their messages take. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.model;

import org.jspecify.annotations.NullMarked;
