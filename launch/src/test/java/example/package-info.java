/** Programs outside the packages of Galerna. */
@NullMarked
package example;

import org.jspecify.annotations.NullMarked;
