/**
 * Who is there, and where.
 */
@NullMarked
package org.galerna.link.ofi.connecting;

import org.jspecify.annotations.NullMarked;
