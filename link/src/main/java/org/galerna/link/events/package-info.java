/**
 * What flight recorder is told of communication: rare things always, messages if a recording asks for them. Nothing here is
 * loaded but one class where nobody records.
 */
@NullMarked
package org.galerna.link.events;

import org.jspecify.annotations.NullMarked;
