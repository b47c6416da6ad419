/**
 * The platform's own sockets and channels, which everything stands on.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.platform;

import org.jspecify.annotations.NullMarked;
