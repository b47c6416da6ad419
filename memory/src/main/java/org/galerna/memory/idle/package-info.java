/** How threads wait: how long they look again and again, and what earlier waits have taught. */
@NullMarked
package org.galerna.memory.idle;

import org.jspecify.annotations.NullMarked;
