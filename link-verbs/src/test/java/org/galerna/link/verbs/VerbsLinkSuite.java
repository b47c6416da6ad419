package org.galerna.link.verbs;

import org.galerna.testkit.link.LinkContract;

/** The contract of links, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsLinkSuite extends LinkContract implements VerbsSubject {}
