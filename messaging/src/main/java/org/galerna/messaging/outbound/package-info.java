/**
 * The sending side of a connection.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.outbound;

import org.jspecify.annotations.NullMarked;
