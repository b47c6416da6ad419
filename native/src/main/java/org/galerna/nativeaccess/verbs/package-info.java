/**
 * Bindings to {@code libibverbs} and {@code librdmacm}: adapters for InfiniBand, RoCE and iWARP, used from Java without
 * native code of our own. Objects are closed in the reverse order of their creation, by whoever created them. References
 * are never null unless they say so.
 */
@NullMarked
package org.galerna.nativeaccess.verbs;

import org.jspecify.annotations.NullMarked;
