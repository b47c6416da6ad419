/**
 * What concerns this process as a whole: its end, its log, its fences, and how long it waits for a peer.
 */
@NullMarked
package org.galerna.link.process;

import org.jspecify.annotations.NullMarked;
