/** Tests of the collectives on the real device: ranks are threads of one JVM. */
package org.galerna.collectives;
