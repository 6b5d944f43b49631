package dev.joblock.sample.files;

import java.util.List;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The files as JSON; {@code static/files.js} draws the page from them. It reads and changes nothing. */
@RestController
public class FilesController {

    private static final int MOST = 1_000;
    private static final int CYCLES = 12;

    private final FileReport report;
    private final Cycles cycles;

    /**
     * A controller.
     *
     * @param report the files
     * @param cycles the tasks
     */
    public FilesController(FileReport report, Cycles cycles) {
        this.report = report;
        this.cycles = cycles;
    }

    /**
     * Files one by one.
     *
     * @param only {@code all}, {@code late}, {@code broken} or {@code arrived}
     * @param limit how many, 1 to 1,000
     * @return the files
     */
    @GetMapping("/api/files")
    public List<FileStatus> files(
            @RequestParam(name = "only", defaultValue = "all") String only,
            @RequestParam(name = "limit", defaultValue = "100") int limit) {
        return report.list(filter(only), Math.max(1, Math.min(limit, MOST)));
    }

    /**
     * All files together.
     *
     * @return their numbers
     */
    @GetMapping("/api/files/summary")
    public FileSummary summary() {
        return report.summary();
    }

    /**
     * How many tasks the last cycles had, with the guard and without.
     *
     * @return the cycles, the newest first
     */
    @GetMapping("/api/cycles")
    public List<Cycle> cycles() {
        return cycles.recent(CYCLES);
    }

    private static FileReport.Filter filter(String only) {
        try {
            return FileReport.Filter.valueOf(only.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "'only' is none of all, late, broken, arrived; write one of them", e);
        }
    }
}
