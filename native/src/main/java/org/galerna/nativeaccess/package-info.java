/**
 * Thin bindings to C libraries through the foreign function interface, one class per library. Knows no other package of
 * Galerna. References are never null unless they say so.
 */
@NullMarked
package org.galerna.nativeaccess;

import org.jspecify.annotations.NullMarked;
