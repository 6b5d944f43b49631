package dev.joblock.scheduling;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Writes into the service's list, so that the order of lock and transaction is seen. */
class RecordingTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    private transient List<String> events = new CopyOnWriteArrayList<>();

    RecordingTransactions() {}

    public void setService(FakeService service) {
        events = service.events;
    }

    @Override
    protected Object doGetTransaction() {
        return new Object();
    }

    @Override
    protected void doBegin(Object transaction, @Nullable TransactionDefinition definition) {
        events.add("begin");
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        events.add("commit");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        events.add("rollback");
    }
}
