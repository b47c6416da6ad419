/**
 * How the ranks of a job find each other, within a JVM, through a folder, or by a provider's means; and who shares a host.
 */
@NullMarked
package org.galerna.link.wireup;

import org.jspecify.annotations.NullMarked;
