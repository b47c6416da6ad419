/** Profiles of jobs: what is recorded, and in which files. References are never null unless they say so. */
@NullMarked
package org.galerna.profile;

import org.jspecify.annotations.NullMarked;
