package dev.joblock.scheduling;

import static dev.joblock.scheduling.TestHost.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.joblock.JobRun;
import dev.joblock.testing.Logs;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Advice in XML, and its order with a transaction. */
class JobLockAdviceTest {

    private static final String TRANSACTIONS = """
            <bean id="transactions" class="dev.joblock.scheduling.RecordingTransactions">
                <property name="service" ref="service"/>
            </bean>
            <tx:advice id="txAdvice" transaction-manager="transactions">
                <tx:attributes><tx:method name="book"/></tx:attributes>
            </tx:advice>
            """;

    private static String advice(String methods) {
        return "<bean id=\"lockAdvice\" class=\"dev.joblock.scheduling.JobLockAdvice\"><property name=\"methods\"><value>"
                + methods + "</value></property></bean>";
    }

    private static String config(int lockOrder, int transactionOrder) {
        String pointcut = "pointcut=\"execution(* dev.joblock.scheduling.Ledger.*(..))\"";
        return "<aop:config proxy-target-class=\"true\"><aop:advisor advice-ref=\"lockAdvice\" " + pointcut
                + " order=\""
                + lockOrder + "\"/>"
                + (transactionOrder < 0
                        ? ""
                        : "<aop:advisor advice-ref=\"txAdvice\" " + pointcut + " order=\"" + transactionOrder + "\"/>")
                + "</aop:config>";
    }

    private final TestHost host = TestHost.guarding("");
    private final String ledger = bean("ledger", Ledger.class);

    @Test
    void theNamedMethodsRunUnderTheirLocksAndOthersWithout() {
        try (GenericXmlApplicationContext context = host.start(ledger, advice("bo* = booking"), config(0, -1))) {
            context.getBean(Ledger.class).book();
            context.getBean(Ledger.class).read();

            assertThat(host.service.events).containsExactly("granted booking", "released booking");
        }
    }

    @Test
    void withoutNamesEachMethodHasALockOfItsOwn() {
        String all = bean("lockAdvice", JobLockAdvice.class);
        String pointcut = "<aop:config proxy-target-class=\"true\"><aop:advisor advice-ref=\"lockAdvice\""
                + " pointcut=\"execution(* dev.joblock.scheduling.Ledger.read(..))\"/></aop:config>";
        try (GenericXmlApplicationContext context = host.start(ledger, all, pointcut)) {
            context.getBean(Ledger.class).read();

            assertThat(host.service.asked)
                    .extracting(JobRun::job)
                    .containsExactly("dev.joblock.scheduling.Ledger.read");
        }
    }

    @Test
    void theLockEndsAfterTheCommitAndAfterTheRollback() {
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        host.start(ledger, TRANSACTIONS, advice("book = booking"), config(0, 1))) {
            Ledger bean = context.getBean(Ledger.class);
            bean.book();
            assertThat(host.service.events).containsExactly("granted booking", "begin", "commit", "released booking");
            host.service.events.clear();

            setFailing(context);
            assertThatThrownBy(bean::book).hasMessage("no money");
            assertThat(host.service.events)
                    .containsExactly("granted booking", "begin", "rollback", "released booking: no money");
            assertThat(logs.lines(Level.WARN, "is inside of its transaction")).isEmpty();
        }
    }

    private static void setFailing(GenericXmlApplicationContext context) {
        ((Ledger) AopProxyUtils.getSingletonTarget(context.getBean("ledger"))).fails = true;
    }

    @Test
    void aLockInsideOfTheTransactionIsWarnedOf() {
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        host.start(ledger, TRANSACTIONS, advice("book = booking"), config(1, 0))) {
            context.getBean(Ledger.class).book();

            assertThat(host.service.events).containsExactly("begin", "granted booking", "released booking", "commit");
            assertThat(logs.lines(
                            Level.WARN,
                            "The lock of 'ledger.book' is inside of its transaction: it ends before the" + " commit"))
                    .hasSize(1);
        }
    }

    @Test
    void aMethodWithoutTransactionIsNotWarnedOf() {
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        host.start(ledger, TRANSACTIONS, advice("read = reading"), config(1, 0))) {
            context.getBean(Ledger.class).read();

            assertThat(host.service.events).containsExactly("granted reading", "released reading");
            assertThat(logs.lines(Level.WARN, "")).isEmpty();
        }
    }

    @Test
    void theAnnotationStandsOutsideOfTheTransactionByItself() {
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context = host.start(
                        bean("annotated", Ledger.Annotated.class),
                        TRANSACTIONS,
                        "<tx:annotation-driven transaction-manager=\"transactions\" proxy-target-class=\"true\"/>")) {
            context.getBean(Ledger.Annotated.class).book();

            assertThat(host.service.events).containsExactly("granted book", "begin", "commit", "released book");
            assertThat(logs.lines(Level.WARN, "")).isEmpty();
        }
    }

    @Test
    void aFinalMethodFailsTheStart() {
        assertThat(host.failure(ledger, advice("close = closing"), config(0, -1)))
                .isEqualTo(
                        "'ledger.close' is to be guarded by a JobLockAdvice and is final, so that calls go past the proxy of"
                                + " its class; take final away");
    }

    @Test
    void aPrivateMethodFailsTheStartIfItIsNamed() {
        assertThat(host.failure(ledger, advice("tidy = tidying"), config(0, -1)))
                .isEqualTo(
                        "'ledger.tidy' is to be guarded by a JobLockAdvice and is private, so that no proxy sees its calls;"
                                + " make it a public method of the bean");
    }
}
