/**
 * Typed objects between nodes, sent and requested from any thread, on the links of Galerna. Start with
 * {@link org.galerna.messaging.MessagingNode}. References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging;

import org.jspecify.annotations.NullMarked;
