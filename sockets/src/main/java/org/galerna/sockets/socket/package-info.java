/**
 * What sockets of the platform are made of where fast sockets are installed.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.sockets.socket;

import org.jspecify.annotations.NullMarked;
