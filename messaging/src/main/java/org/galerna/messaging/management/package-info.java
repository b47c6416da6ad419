/**
 * A node as a bean of JMX.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.management;

import org.jspecify.annotations.NullMarked;
