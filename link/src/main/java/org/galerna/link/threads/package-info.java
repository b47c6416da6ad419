/**
 * The link between ranks that are threads of one JVM: rings for frames, and large messages copied straight from array
 * to array by sender and receiver together. The reference implementation of the link SPI.
 */
@NullMarked
package org.galerna.link.threads;

import org.jspecify.annotations.NullMarked;
