/**
 * The way to one peer: sends, credit, and what has come of it.
 */
@NullMarked
package org.galerna.link.ofi.connection;

import org.jspecify.annotations.NullMarked;
