package dev.joblock.sample.files;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.listener.SkipListener;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.ChunkOrientedStepBuilder;
import org.springframework.batch.infrastructure.item.ItemReader;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.file.FlatFileParseException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.transaction.PlatformTransactionManager;

/** Makes a step that reads and writes in chunks and skips lines that can't be read, since builders are not for XML. */
public class LoadStepFactoryBean implements FactoryBean<Step> {

    private String name = "";
    private int chunkSize;
    private int skipLimit;
    private @Nullable JobRepository jobRepository;
    private @Nullable PlatformTransactionManager transactionManager;
    private @Nullable ItemReader<DeliveredRow> reader;
    private @Nullable ItemWriter<DeliveredRow> writer;
    private @Nullable SkipListener<DeliveredRow, DeliveredRow> skipListener;

    /**
     * What the step is called.
     *
     * @param name the name
     */
    public void setName(String name) {
        this.name = name;
    }

    /**
     * How many lines are written in one transaction.
     *
     * @param chunkSize lines
     */
    public void setChunkSize(int chunkSize) {
        this.chunkSize = chunkSize;
    }

    /**
     * How many broken lines a file may have; with one more the load fails.
     *
     * @param skipLimit lines
     */
    public void setSkipLimit(int skipLimit) {
        this.skipLimit = skipLimit;
    }

    /**
     * Where Spring Batch keeps how far the step has come.
     *
     * @param jobRepository the repository
     */
    public void setJobRepository(JobRepository jobRepository) {
        this.jobRepository = jobRepository;
    }

    /**
     * For chunks; the same as the repository's, so that rows and progress are written together.
     *
     * @param transactionManager the transaction manager
     */
    public void setTransactionManager(PlatformTransactionManager transactionManager) {
        this.transactionManager = transactionManager;
    }

    /**
     * Reads lines.
     *
     * @param reader the reader
     */
    public void setReader(ItemReader<DeliveredRow> reader) {
        this.reader = reader;
    }

    /**
     * Writes lines.
     *
     * @param writer the writer
     */
    public void setWriter(ItemWriter<DeliveredRow> writer) {
        this.writer = writer;
    }

    /**
     * Told of broken lines.
     *
     * @param skipListener the listener
     */
    public void setSkipListener(SkipListener<DeliveredRow, DeliveredRow> skipListener) {
        this.skipListener = skipListener;
    }

    @Override
    @SuppressWarnings("unchecked") // an array of one exception class
    public Step getObject() {
        return new ChunkOrientedStepBuilder<DeliveredRow, DeliveredRow>(
                        name, Objects.requireNonNull(jobRepository), chunkSize)
                .transactionManager(Objects.requireNonNull(transactionManager))
                .reader(Objects.requireNonNull(reader))
                .writer(Objects.requireNonNull(writer))
                .faultTolerant()
                .skip(FlatFileParseException.class)
                .skipLimit(skipLimit)
                .skipListener(Objects.requireNonNull(skipListener))
                .build();
    }

    @Override
    public Class<?> getObjectType() {
        return Step.class;
    }
}
