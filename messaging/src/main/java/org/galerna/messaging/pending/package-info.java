/**
 * Requests whose responses have not come, and what depends on them.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.pending;

import org.jspecify.annotations.NullMarked;
