/**
 * Commands that run programs: alone, with fast sockets, and in place of a JDK's.
 */
@NullMarked
package org.galerna.cli.run;

import org.jspecify.annotations.NullMarked;
