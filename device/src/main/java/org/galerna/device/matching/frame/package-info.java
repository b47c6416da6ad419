/**
 * What ranks send each other, bit by bit.
 */
@NullMarked
package org.galerna.device.matching.frame;

import org.jspecify.annotations.NullMarked;
