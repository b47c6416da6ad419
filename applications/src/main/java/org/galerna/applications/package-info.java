/** What programs have in common: how far a run is, for a person who waits. References are never null unless they say so. */
@NullMarked
package org.galerna.applications;

import org.jspecify.annotations.NullMarked;
