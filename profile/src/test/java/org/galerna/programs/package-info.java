/** Programs that tests record. */
@NullMarked
package org.galerna.programs;

import org.jspecify.annotations.NullMarked;
