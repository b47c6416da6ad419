/**
 * What {@code galerna doctor} looks at, one class for each kind of thing. References are never null unless they say so.
 */
@NullMarked
package org.galerna.cli.doctor;

import org.jspecify.annotations.NullMarked;
