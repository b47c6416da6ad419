/**
 * Who connects to whom, and who has left or is lost.
 */
@NullMarked
package org.galerna.link.verbs.connecting;

import org.jspecify.annotations.NullMarked;
