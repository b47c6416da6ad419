/**
 * The demonstration: {@link org.galerna.bench.demo.Demo} runs the simulation of {@link org.galerna.applications.fdtd} on
 * several numbers of ranks in this JVM, checks every run against the sequential solver bit for bit, and leaves a picture
 * and a table. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.demo;

import org.jspecify.annotations.NullMarked;
