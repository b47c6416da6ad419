/**
 * Connects ranks, and knows which of them have left or are lost.
 */
@NullMarked
package org.galerna.link.verbs.connecting;

import org.jspecify.annotations.NullMarked;
