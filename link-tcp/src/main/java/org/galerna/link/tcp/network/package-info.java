/** Where ranks listen and how they are reached: internet addresses, UNIX-domain sockets, an entrance. */
@NullMarked
package org.galerna.link.tcp.network;

import org.jspecify.annotations.NullMarked;
