/** A link that does what networks do on a bad day, for tests of whatever uses links. */
@NullMarked
package org.galerna.testkit.faulty;

import org.jspecify.annotations.NullMarked;
