/**
 * The names of settings, and what somebody may have meant.
 */
@NullMarked
package org.galerna.link.settings;

import org.jspecify.annotations.NullMarked;
