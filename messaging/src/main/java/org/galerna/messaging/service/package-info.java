/**
 * Services: interfaces whose methods are called at other nodes.
 * References are never null unless they say so.
 */
@NullMarked
package org.galerna.messaging.service;

import org.jspecify.annotations.NullMarked;
