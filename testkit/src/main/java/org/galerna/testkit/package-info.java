/**
 * Contracts as abstract test classes, and the harnesses that start ranks for tests and make them
 * fail.
 */
@NullMarked
package org.galerna.testkit;

import org.jspecify.annotations.NullMarked;
