/** What one rank records: calls, messages, waits, in memory of a fixed size. */
@NullMarked
package org.galerna.profile.record;

import org.jspecify.annotations.NullMarked;
