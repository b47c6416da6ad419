/** What all tests use: deadlines, ranks that are threads, bytes with a seed. References are never null unless they say so. */
@NullMarked
package org.galerna.testkit;

import org.jspecify.annotations.NullMarked;
