/**
 * The link over UCX: frames in its active messages, large things by its get and put. A link over sockets beside it says who is
 * there, and carries what lies in arrays. References are never null unless they say so.
 */
@NullMarked
package org.galerna.link.ucx;

import org.jspecify.annotations.NullMarked;
