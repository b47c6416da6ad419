/**
 * Commands that measure.
 */
@NullMarked
package org.galerna.cli.bench;

import org.jspecify.annotations.NullMarked;
