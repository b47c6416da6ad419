/**
 * Metrics of object messaging for Micrometer.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.micrometer;

import org.jspecify.annotations.NullMarked;
