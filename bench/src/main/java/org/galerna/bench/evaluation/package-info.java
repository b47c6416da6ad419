/** The headlines of five papers on message passing in Java, measured again. References are never null unless they say so. */
@NullMarked
package org.galerna.bench.evaluation;

import org.jspecify.annotations.NullMarked;
