/**
 * Selectors of such channels, and of those of the platform.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.selector;

import org.jspecify.annotations.NullMarked;
