/** What several links need, once: frames in rings, tables of regions, the way out of a job. For those who write a link. */
@NullMarked
package org.galerna.link.support;

import org.jspecify.annotations.NullMarked;
