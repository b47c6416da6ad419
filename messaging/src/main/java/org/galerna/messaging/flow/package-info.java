/**
 * Flow control: how much may be sent that the receiver has not processed.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.flow;

import org.jspecify.annotations.NullMarked;
