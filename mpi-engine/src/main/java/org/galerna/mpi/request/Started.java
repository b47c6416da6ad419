package org.galerna.mpi.request;

import org.galerna.device.Request;

/**
 * An operation that goes on while the rank does something else.
 *
 * @param operation what the device does
 * @param stage what is left to do afterwards
 */
public record Started(Request operation, Stage stage) {}
