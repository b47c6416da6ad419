/**
 * The systems that Galerna is compared with: other implementations of MPI, Aeron, and the sockets of the JDK. Each is a
 * {@link org.galerna.bench.suite.ContenderFactory} that is found by its name; what it needs and the machine lacks is said
 * in one line. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.peers;

import org.jspecify.annotations.NullMarked;
