/**
 * Ranks as processes, on this host and on others: the launcher, the agent that it has on each host, and the ranks'
 * processes. {@code docs/launching.md} tells who starts whom and who ends when. References are never null unless they say
 * so.
 */
@NullMarked
package org.galerna.launch.process;

import org.jspecify.annotations.NullMarked;
