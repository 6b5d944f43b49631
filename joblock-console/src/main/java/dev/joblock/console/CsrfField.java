package dev.joblock.console;

/**
 * The hidden field that each form of a page carries.
 *
 * @param name the name of the request parameter
 * @param value the token
 */
public record CsrfField(String name, String value) {}
