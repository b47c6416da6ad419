/**
 * Traces in the Open Trace Format 2, which Vampir, Scalasca and {@code otf2-print} read: a folder with an anchor file, definitions
 * and a file of events for each thread.
 */
@NullMarked
package org.galerna.profile.otf2;

import org.jspecify.annotations.NullMarked;
