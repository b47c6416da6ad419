/**
 * Memory that adapters may read and write.
 */
@NullMarked
package org.galerna.link.verbs.registered;

import org.jspecify.annotations.NullMarked;
