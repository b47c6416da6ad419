/**
 * Programs to copy from; each one shows one way of using Galerna.
 */
@NullMarked
package org.galerna.examples;

import org.jspecify.annotations.NullMarked;
