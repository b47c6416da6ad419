/**
 * Finds the peers, connects to them, and notices when they leave.
 */
@NullMarked
package org.galerna.link.ofi.connecting;

import org.jspecify.annotations.NullMarked;
