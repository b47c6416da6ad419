/**
 * Tagged messages between ranks, the paper's {@code xxdev}, as others see them: devices by name, requests, and who provides
 * them. References are never null unless they say so.
 */
@NullMarked
package org.galerna.device;

import org.jspecify.annotations.NullMarked;
