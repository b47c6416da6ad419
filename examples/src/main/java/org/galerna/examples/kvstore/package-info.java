/** A key-value store on object messaging: how a service is built without ranks. */
@NullMarked
package org.galerna.examples.kvstore;

import org.jspecify.annotations.NullMarked;
