/** A shop of three processes: a service, a stream, a node that starts again under load, and a change of keys. */
@NullMarked
package org.galerna.examples.shop;

import org.jspecify.annotations.NullMarked;
