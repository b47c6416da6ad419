/**
 * Brings messages and receives together, and makes progress.
 */
@NullMarked
package org.galerna.device.matching.engine;

import org.jspecify.annotations.NullMarked;
