/** Wire-ups for tests. */
@NullMarked
package org.galerna.testkit.wireup;

import org.jspecify.annotations.NullMarked;
