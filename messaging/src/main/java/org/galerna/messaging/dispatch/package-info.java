/**
 * What has come and waits for handlers, and how it gets to the receivers of the program.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.dispatch;

import org.jspecify.annotations.NullMarked;
