/**
 * What a reduction does to the elements: the interface that user functions implement too, and the loops of the
 * predefined operations over primitive arrays, which all ranks of a JVM share so that they are compiled once.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.reduction;

import org.jspecify.annotations.NullMarked;
