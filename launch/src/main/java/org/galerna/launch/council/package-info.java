/**
 * Processes of a job that no launcher of Galerna has started find out among themselves whether the job is deadlocked.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.council;

import org.jspecify.annotations.NullMarked;
