/**
 * Programs for tests of launchers: compiled on the spot, run in JVMs of their own. References are never null unless
 * they say so.
 */
@NullMarked
package org.galerna.testkit.process;

import org.jspecify.annotations.NullMarked;
