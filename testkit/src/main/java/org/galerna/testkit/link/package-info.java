/** The contract that every link has to pass, as abstract test classes. References are never null unless they say so. */
@NullMarked
package org.galerna.testkit.link;

import org.jspecify.annotations.NullMarked;
