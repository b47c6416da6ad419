/**
 * What users set: system properties, options of the agent, and the file with the key.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.settings;

import org.jspecify.annotations.NullMarked;
