/**
 * What a process counts of its communication, in a file that other processes of the user read while it runs and after it
 * was killed.
 */
@NullMarked
package org.galerna.link.counters;

import org.jspecify.annotations.NullMarked;
