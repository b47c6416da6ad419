/**
 * Starts the ranks of a job and ends them: class loaders, exit statuses, output, deadlines and
 * deadlock reports.
 */
@NullMarked
package org.galerna.launch;

import org.jspecify.annotations.NullMarked;
