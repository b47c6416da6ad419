/**
 * Sends and receives under way, and the pools they come from.
 */
@NullMarked
package org.galerna.device.matching.request;

import org.jspecify.annotations.NullMarked;
