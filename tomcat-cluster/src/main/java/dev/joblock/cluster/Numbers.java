package dev.joblock.cluster;

/** Reads numbers from properties. Stateless. */
final class Numbers {

    private Numbers() {}

    /**
     * Reads a whole number.
     *
     * @param name the property it comes from
     * @param whole the property's value, for the error message
     * @param text the part of it that shall be a number
     * @param least the smallest that is allowed
     * @param most the largest that is allowed
     * @return the number
     * @throws ClusterException if it is none, or out of range
     */
    static int parse(String name, String whole, String text, int least, int most) {
        String digits = text.trim();
        if (digits.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(digits);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new ClusterException("'" + name + "' = '" + whole + "': '" + digits + "' is no number from " + least
                + " to " + most + "; give one, for example " + Math.min(most, Math.max(least, 4)));
    }
}
