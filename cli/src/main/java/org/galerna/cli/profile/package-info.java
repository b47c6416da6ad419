/** {@code galerna run --profile}: records a job, and writes what it has done as a page, JSON and a trace. */
@NullMarked
package org.galerna.cli.profile;

import org.jspecify.annotations.NullMarked;
