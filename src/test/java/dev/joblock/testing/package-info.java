/** What tests need that is no mock: a real Redis process. Talks to it on a plain socket, so that it runs on any row. */
@NullMarked
package dev.joblock.testing;

import org.jspecify.annotations.NullMarked;
