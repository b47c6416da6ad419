/** Tells flight recorder of each message, where a recording asks for that when a rank starts. */
@NullMarked
package org.galerna.device.recording;

import org.jspecify.annotations.NullMarked;
