/**
 * The benchmark suite: systems that move messages, each a {@link org.galerna.bench.suite.Contender} in processes of its
 * own, measured in turns by one driver. References are never null unless they say so.
 */
@NullMarked
package org.galerna.bench.suite;

import org.jspecify.annotations.NullMarked;
