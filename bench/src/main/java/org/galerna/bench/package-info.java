/**
 * Micro-benchmarks of Galerna and of what it competes with, measured in the same run, and the reports
 * made of them.
 */
@NullMarked
package org.galerna.bench;

import org.jspecify.annotations.NullMarked;
