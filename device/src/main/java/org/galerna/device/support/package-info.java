/**
 * What any device needs and none has to write again: how requests end, waiting, operations made of several, threads that are
 * blocked, ranks that leave, and checks of arguments. References are never null unless they say so.
 */
@NullMarked
package org.galerna.device.support;

import org.jspecify.annotations.NullMarked;
