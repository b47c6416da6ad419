/** The contract that every device has to pass, as abstract test classes. References are never null unless they say so. */
@NullMarked
package org.galerna.testkit.device;

import org.jspecify.annotations.NullMarked;
