/**
 * How processes of one host offer memory to each other.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.host;

import org.jspecify.annotations.NullMarked;
