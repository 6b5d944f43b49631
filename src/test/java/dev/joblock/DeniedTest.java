package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A denial as people read it: which of the reasons, by whom, since when. */
class DeniedTest {
    private static final Instant TEN = Instant.parse("2026-10-25T10:00:00Z");
    private static final RecordedRun SLOT = new RecordedRun("n2", "lane", TEN, TEN.plusMillis(3), 7);
    private static final RecordedRun MANUAL = new RecordedRun("n2", "", null, TEN, 7);

    @Test
    void heldSaysByWhomSinceWhenAndHowLong() {
        assertThat(Denied.by(DenialReason.HELD, SLOT, TEN.plusSeconds(30), false))
                .hasToString("held by n2 since 2026-10-25T10:00:00.003Z, lease until 2026-10-25T10:00:30Z");
        assertThat(Denied.by(DenialReason.HELD, MANUAL, null, false))
                .hasToString("held by n2 since 2026-10-25T10:00:00Z");
    }

    @Test
    void takenAndTooSoonSayByWhomSinceWhen() {
        assertThat(Denied.by(DenialReason.TAKEN, SLOT, null, false))
                .hasToString("taken by n2 since 2026-10-25T10:00:00.003Z");
        assertThat(Denied.by(DenialReason.TOO_SOON, MANUAL, TEN.plusSeconds(60), false))
                .hasToString("too soon by n2 since 2026-10-25T10:00:00Z");
    }

    @Test
    void passedNamesTheLaterSlotAndSaysOfNobodyThatHeRanThisOne() {
        assertThat(Denied.by(DenialReason.PASSED, SLOT, null, true))
                .hasToString("passed by n2 since 2026-10-25T10:00:00.003Z (slot 2026-10-25T10:00:00Z)")
                .extracting(Denied::isOtherDefinition)
                .isEqualTo(true);
        assertThat(Denied.notOwed(TEN)).hasToString("passed: the slot of 2026-10-25T10:00:00Z is not owed");
    }

    @Test
    void clockAheadSaysBothTimesAndWhenToAskAgain() {
        Denied denied = Denied.clockAhead(TEN, TEN.plusSeconds(90));

        assertThat(denied)
                .hasToString("clock ahead: this node's clock is ahead: the slot is due at 2026-10-25T10:01:30Z, "
                        + "Redis time is 2026-10-25T10:00:00Z, 90s before that");
        assertThat(denied.redisTime()).contains(TEN);
        assertThat(denied.until()).contains(TEN.plusSeconds(90));
        assertThat(denied.other()).isEmpty();
    }

    @Test
    void runWithoutLockIsSaidOfACopy() {
        Denied denied = Denied.storeDown(StoreFault.UNREACHABLE, "key 'joblock:a'");

        assertThat(denied.isRunWithoutLock()).isFalse();
        assertThat(denied.withRunWithoutLock().isRunWithoutLock()).isTrue();
        assertThat(denied.withRunWithoutLock()).hasToString(denied.toString());
    }

    @Test
    void storeDownSaysWhatWasWrong() {
        Denied denied = Denied.storeDown(StoreFault.READONLY, "key 'joblock:a'");

        assertThat(denied).hasToString("store down: write refused (READONLY), key 'joblock:a'");
        assertThat(denied.fault()).contains(StoreFault.READONLY);
        assertThat(Denied.storeDown(StoreFault.SLOW, "")).hasToString("store down: store slow");
        assertThat(denied.isGranted()).isFalse();
    }
}
