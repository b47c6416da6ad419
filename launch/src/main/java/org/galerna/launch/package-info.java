/**
 * Starts the ranks of a job and ends them: {@link org.galerna.launch.ThreadJob} runs them as threads of this JVM, and
 * {@link org.galerna.launch.JobMain} does so in a JVM of their own. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch;

import org.jspecify.annotations.NullMarked;
