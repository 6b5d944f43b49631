package dev.joblock;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * Holds the star of the design: the root package knows nobody, every other package knows the root and none of its siblings,
 * and each foreign library has one home. Rules on packages that have no class yet pass.
 */
@AnalyzeClasses(packages = "dev.joblock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "dev.joblock";
    private static final String CONFIG = "dev.joblock.config..";
    private static final String ENGINE = "dev.joblock.engine..";
    private static final Set<String> BATCH_STAYS = Set.of(
            "org.springframework.batch.core.BatchStatus",
            "org.springframework.batch.core.ExitStatus",
            "org.springframework.batch.core.configuration.JobRegistry",
            "org.springframework.batch.core.launch.JobLauncher",
            "org.springframework.batch.core.launch.JobOperator",
            "org.springframework.batch.core.repository.JobRepository");
    private static final String SYSTEM_TIME = "dev.joblock.engine.SystemTime";

    @ArchTest
    static final ArchRule root_package_depends_on_nothing_but_java_and_jspecify = classes()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ROOT, "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.joblock.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule packages_know_no_sibling_but_config_may = slices().matching("dev.joblock.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(resideInAPackage(CONFIG), alwaysTrue())
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nobody_depends_on_config = noClasses()
            .that()
            .resideOutsideOfPackage(CONFIG)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CONFIG);

    @ArchTest
    static final ArchRule quartz_has_one_home = livesOnlyIn("dev.joblock.quartz..", "org.quartz..");

    @ArchTest
    static final ArchRule spring_batch_has_one_home = livesOnlyIn("dev.joblock.batch..", "org.springframework.batch..");

    @ArchTest
    static final ArchRule spring_scheduling_has_one_home =
            livesOnlyIn("dev.joblock.scheduling..", "org.springframework.scheduling..");

    @ArchTest
    static final ArchRule scheduling_knows_the_root_and_spring_alone = classes()
            .that()
            .resideInAPackage("dev.joblock.scheduling..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    ROOT,
                    "dev.joblock.scheduling..",
                    "java..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "org.aopalliance..",
                    "org.springframework.aop..",
                    "org.springframework.asm..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.expression..",
                    "org.springframework.scheduling..",
                    "org.springframework.transaction..",
                    "org.springframework.util..");

    @ArchTest
    static final ArchRule what_moves_in_spring_batch_is_reached_by_name = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("org.springframework.batch..")
                    .and(describe(
                            "have moved between Batch 4.3 and 6.0", type -> !BATCH_STAYS.contains(type.getName()))))
            .because("the same class files run on Batch 4.3, 5.2 and 6.0");

    @ArchTest
    static final ArchRule spring_data_has_one_home = livesOnlyIn("dev.joblock.redis..", "org.springframework.data..");

    @ArchTest
    static final ArchRule micrometer_has_one_home = livesOnlyIn("dev.joblock.metrics..", "io.micrometer..");

    @ArchTest
    static final ArchRule jedis_is_never_named =
            noClasses().should().dependOnClassesThat().resideInAPackage("redis.clients..");

    @ArchTest
    static final ArchRule config_names_optional_packages_by_string_only = noClasses()
            .that()
            .resideInAPackage(CONFIG)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.joblock.quartz..", "dev.joblock.batch..", "dev.joblock.metrics..")
            .allowEmptyShould(true)
            .because("a host without Quartz, Batch or Micrometer must be able to load the class that asks for them");

    @ArchTest
    static final ArchRule nobody_sleeps = noClasses()
            .should()
            .accessTargetWhere(describe(
                    "it is Thread.sleep or TimeUnit.sleep",
                    call -> call.getTarget().getName().equals("sleep")
                            && owner(call).getPackageName().startsWith("java.")))
            .because("a sleep cannot be turned by hand in a test, nor be ended at close");

    @ArchTest
    static final ArchRule wall_clock_is_read_in_one_place = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(SYSTEM_TIME)
            .should()
            .accessTargetWhere(describe("it reads the wall clock", ArchitectureTest::readsWallClock));

    @ArchTest
    static final ArchRule threads_are_bound_in_the_engine_only = noClasses()
            .that()
            .resideOutsideOfPackage(ENGINE)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocal.class);

    @ArchTest
    static final ArchRule no_static_state = fields().that()
            .areStatic()
            .and(describe("are written by hand", field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC)))
            .should()
            .beFinal()
            .andShould(
                    notHold(describe("a counter, queue, lock or other shared state", ArchitectureTest::isSharedState)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule every_package_is_null_marked = classes().should(resideInANullMarkedPackage());

    private static ArchRule livesOnlyIn(String home, String library) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(home)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    private static JavaClass owner(JavaAccess<?> access) {
        return access.getTargetOwner();
    }

    private static boolean readsWallClock(JavaAccess<?> access) {
        JavaClass owner = owner(access);
        String name = access.getTarget().getName();
        boolean bareDate = owner.isEquivalentTo(Date.class)
                && access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getRawParameterTypes().isEmpty()
                && name.equals("<init>");
        return bareDate
                || (owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis"))
                || (owner.isEquivalentTo(Calendar.class) && name.equals("getInstance"))
                || (owner.getPackageName().equals("java.time")
                        && (name.equals("now") || name.startsWith("system") || name.startsWith("tick")));
    }

    private static boolean isSharedState(JavaField field) {
        JavaClass type = field.getRawType();
        return type.getPackageName().startsWith("java.util.concurrent") && !type.isEnum();
    }

    private static ArchCondition<JavaField> notHold(DescribedPredicate<JavaField> unwanted) {
        return new ArchCondition<>("not hold " + unwanted.getDescription()) {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                boolean ok = !unwanted.test(field);
                events.add(new SimpleConditionEvent(
                        field,
                        ok,
                        field.getFullName() + " is a " + field.getRawType().getName()));
            }
        };
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package whose package-info.java says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean ok = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(type, ok, type.getPackageName() + " has no @NullMarked"));
            }
        };
    }
}
