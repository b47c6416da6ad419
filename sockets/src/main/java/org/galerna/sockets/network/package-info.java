/**
 * How processes on different hosts open links to each other, and pipes whose bytes these links carry.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.network;

import org.jspecify.annotations.NullMarked;
