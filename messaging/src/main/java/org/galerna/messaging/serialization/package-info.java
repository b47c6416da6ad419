/**
 * Objects as bytes: what writes them straight into the memory of a link, what reads them out of it, and serializers that
 * are derived from records. References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.serialization;

import org.jspecify.annotations.NullMarked;
