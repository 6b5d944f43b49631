package dev.joblock.sample;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One slot of one job with the answers of all nodes.
 *
 * @param job the job's name
 * @param slot the scheduled fire time
 * @param runs how many nodes ran it; 1 where the job is guarded
 * @param answers the nodes' answers, by name of the node
 */
public record SlotAnswers(String job, Instant slot, long runs, List<Answer> answers) {

    private record Key(String job, Instant slot) {}

    /**
     * Puts answers together by job and slot.
     *
     * @param answers in any order
     * @return the slots, the newest first, then by name of the job
     */
    static List<SlotAnswers> group(List<Answer> answers) {
        Map<Key, List<Answer>> byKey = new LinkedHashMap<>();
        for (Answer answer : answers) {
            byKey.computeIfAbsent(new Key(answer.job(), answer.slot()), key -> new ArrayList<>())
                    .add(answer);
        }
        List<SlotAnswers> slots = new ArrayList<>();
        byKey.forEach((key, list) -> slots.add(of(key, list)));
        slots.sort(Comparator.comparing(SlotAnswers::slot).reversed().thenComparing(SlotAnswers::job));
        return Collections.unmodifiableList(slots);
    }

    private static SlotAnswers of(Key key, List<Answer> answers) {
        answers.sort(Comparator.comparing(Answer::node));
        long runs = answers.stream().filter(SlotAnswers::isRun).count();
        return new SlotAnswers(key.job(), key.slot(), runs, Collections.unmodifiableList(answers));
    }

    private static boolean isRun(Answer answer) {
        return answer.answer().equals("ran") || answer.answer().equals("running");
    }
}
