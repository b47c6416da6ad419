/** Tests of JUnit that several ranks run. References are never null unless they say so. */
@NullMarked
package org.galerna.junit;

import org.jspecify.annotations.NullMarked;
