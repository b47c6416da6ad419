/**
 * The folders and files of a job on one host.
 */
@NullMarked
package org.galerna.link.shm.file;

import org.jspecify.annotations.NullMarked;
