package dev.joblock.sample;

import dev.joblock.JobLockService;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The JSON addresses of the sample; {@code static/page.js} draws the page from them. */
@RestController
public class SlotsController {

    private static final int MOST = 1_000;

    private final RunLog log;
    private final JobLockService service;

    /**
     * A controller.
     *
     * @param log what to show
     * @param service knows this node's name
     */
    public SlotsController(RunLog log, JobLockService service) {
        this.log = log;
        this.service = service;
    }

    /**
     * The slots of the last two minutes with each node's answer.
     *
     * @param limit how many answers to read, 1 to 1,000
     * @return the slots, the newest first
     */
    @GetMapping("/api/slots")
    public List<SlotAnswers> slots(@RequestParam(name = "limit", defaultValue = "300") int limit) {
        return SlotAnswers.group(log.recentAnswers(Math.max(1, Math.min(limit, MOST))));
    }

    /**
     * Answers once the application has started and reaches its database. Redis is not asked: while it is away, jobs are
     * denied and pages work.
     *
     * @return this node's name
     */
    @GetMapping("/health")
    public Map<String, String> health() {
        log.ping();
        return Map.of("status", "up", "node", service.nodeId());
    }
}
