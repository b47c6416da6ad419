/**
 * Options that several commands have, and settings that are checked before a job begins.
 */
@NullMarked
package org.galerna.cli.options;

import org.jspecify.annotations.NullMarked;
