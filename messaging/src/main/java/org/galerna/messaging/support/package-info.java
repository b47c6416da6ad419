/**
 * What every room of a node uses: its phases, its counters, its clock, time limits and the log of failures.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.support;

import org.jspecify.annotations.NullMarked;
