/**
 * The way of the ranks' output to one standard stream: lines stay whole, and can be labelled with the rank.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.output;

import org.jspecify.annotations.NullMarked;
