package dev.joblock.redis;

/**
 * The outcome of one pure step: its answer, and what is to be written.
 *
 * @param <T> the type of the answer
 */
final class Step<T> {

    final T answer;
    final Change change;

    Step(T answer, Change change) {
        this.answer = answer;
        this.change = change;
    }
}
