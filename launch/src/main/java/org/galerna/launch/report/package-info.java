/**
 * How a job has ended: values first, and the text that is made of them. References are never null unless they say so.
 */
@NullMarked
package org.galerna.launch.report;

import org.jspecify.annotations.NullMarked;
