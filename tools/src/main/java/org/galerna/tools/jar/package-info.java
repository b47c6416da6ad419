/**
 * What the build does to {@code galerna.jar} once it is packed. The JDK alone is used, because the sources are run as they
 * are. References are never null unless they say so.
 */
@NullMarked
package org.galerna.tools.jar;

import org.jspecify.annotations.NullMarked;
