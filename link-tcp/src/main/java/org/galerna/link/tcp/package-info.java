/**
 * The link over sockets. One connection for each pair of ranks that talk, opened by whoever talks first and only after
 * both have proved that they know the job's key; its wire format is described in {@code docs/wire-format.md}.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.link.tcp;

import org.jspecify.annotations.NullMarked;
