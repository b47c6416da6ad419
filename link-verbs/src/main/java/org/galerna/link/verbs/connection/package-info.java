/**
 * The queue pair to one peer: what is sent, what comes in, and what completes.
 */
@NullMarked
package org.galerna.link.verbs.connection;

import org.jspecify.annotations.NullMarked;
