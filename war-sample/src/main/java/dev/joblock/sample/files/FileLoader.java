package dev.joblock.sample.files;

import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobExecutionAlreadyRunningException;
import org.springframework.batch.core.launch.JobInstanceAlreadyCompleteException;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;

/**
 * Starts the batch job that loads a version, or goes on with one that was cut short. One node at a time does so for a
 * file: the others are denied by the lock of the file, and look again in the next cycle. Thread-safe.
 */
public class FileLoader {

    private static final Logger LOG = LoggerFactory.getLogger(FileLoader.class);

    private final JobLockService locks;
    private final JobOperator operator;
    private final JobRepository repository;
    private final Job job;
    private final FileStates states;
    private final FileArchive archive;

    /**
     * A loader.
     *
     * @param locks gives the lock of a file
     * @param operator starts the job
     * @param repository knows how far earlier executions came
     * @param job loads a file
     * @param states where the outcome goes
     * @param archive where the contents are
     */
    public FileLoader(
            JobLockService locks,
            JobOperator operator,
            JobRepository repository,
            Job job,
            FileStates states,
            FileArchive archive) {
        this.locks = locks;
        this.operator = operator;
        this.repository = repository;
        this.job = job;
        this.states = states;
        this.archive = archive;
    }

    /**
     * Loads a version, unless another node does.
     *
     * @param version the version
     * @param node this node
     */
    public void load(FileVersion version, String node) {
        locks.run(JobRun.exclusive("loadFile." + version.name()), () -> loadLocked(version, node));
    }

    private void loadLocked(FileVersion version, String node) {
        // Another node may have had the lock between our look and our lock.
        if (!states.version(version.name(), version.checksum())
                .filter(FileVersion::isToBeLoaded)
                .isPresent()) {
            return;
        }
        states.loading(version.id(), node);
        try {
            JobExecution execution = start(version);
            if (execution.getStatus() == BatchStatus.COMPLETED) {
                states.loaded(version.id());
            } else {
                failed(version, execution.getExitStatus().getExitDescription());
            }
        } catch (JobExecutionAlreadyRunningException e) {
            // The guard of Batch jobs: the lease of a node that has died lasts a little longer. Next cycle.
            LOG.info("'{}', version {}, has to wait: {}", version.name(), version.number(), e.getMessage());
        } catch (JobInstanceAlreadyCompleteException e) {
            states.loaded(version.id()); // its node died when it had done everything but this
        } catch (JobExecutionException e) {
            failed(version, e.toString());
        }
    }

    /** Name and checksum identify an instance: a version is loaded once, however often it is started. */
    private JobExecution start(FileVersion version) throws JobExecutionException {
        JobParameters parameters = new JobParametersBuilder()
                .addString("name", version.name())
                .addString("checksum", version.checksum())
                .addLong("version", version.id(), false)
                .addString("path", archive.path(version.checksum()).toString(), false)
                .toJobParameters();
        JobInstance instance = repository.getJobInstance(job.getName(), parameters);
        if (instance != null) {
            JobExecution last = repository.getLastJobExecution(instance);
            if (last == null) {
                // Its node died between two rows; Spring Batch would refuse the instance for ever.
                repository.deleteJobInstance(instance);
            } else if (last.isRunning()) {
                // By the repository. But the lock is ours, so its node has died: let it be gone on with.
                LOG.warn("The load of '{}' was cut short; it goes on here", version.name());
                operator.recover(last);
            }
        }
        return operator.start(job, parameters);
    }

    private void failed(FileVersion version, String why) {
        LOG.warn("'{}', version {}, can't be loaded: {}", version.name(), version.number(), firstLine(why));
        states.failed(version.id(), why);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("no reason given");
    }
}
