/** What the pages in Markdown show: commands and sources, to be tried by tests. References are never null. */
@NullMarked
package org.galerna.testkit.pages;

import org.jspecify.annotations.NullMarked;
