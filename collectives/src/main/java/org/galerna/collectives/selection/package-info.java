/**
 * Which algorithm runs: the catalogue of all of them, the table of decisions (ranks × bytes × device), and the choice
 * that is left of it for one team. References are never null unless they say so.
 */
@NullMarked
package org.galerna.collectives.selection;

import org.jspecify.annotations.NullMarked;
