/**
 * The run of the tests of a checkout, as {@code galerna test} starts it: {@link org.galerna.tools.tests.TestRun} runs Maven,
 * follows it, and adds up what the modules report. The JDK alone is used, because the sources are run as they are.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.tools.tests;

import org.jspecify.annotations.NullMarked;
