/**
 * The link between ranks that are processes on one host: rings for frames in files that both sides map, large transfers
 * in chunks that one side writes while the other reads. References are never null unless they say so.
 */
@NullMarked
package org.galerna.link.shm;

import org.jspecify.annotations.NullMarked;
