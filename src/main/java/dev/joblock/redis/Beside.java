package dev.joblock.redis;

import dev.joblock.Denied;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What stands beside a record, as one step found it: it can deny where the record would grant, and is written in the same
 * step. The hooks are those that the scripts have.
 */
interface Beside {

    Beside NOTHING = new Beside() {
        @Override
        public @Nullable Denied denies(LockRecord record, LockRequest request, long now) {
            return null;
        }

        @Override
        public @Nullable RecordedRun abandoned(LockRecord record, long now) {
            return null;
        }

        @Override
        public void take(LockRecord record, LockRequest request, long now, Change change) {}

        @Override
        public void keep(LockRecord record, Duration lease, long now, Change change) {}

        @Override
        public void free(LockRecord record, boolean ended, long now, Change change) {}
    };

    /** Why not, where nothing in the record denies. */
    @Nullable
    Denied denies(LockRecord record, LockRequest request, long now);

    /** A run that a grant takes over, where {@link #denies} says nothing. */
    @Nullable
    RecordedRun abandoned(LockRecord record, long now);

    /** With a grant. What is to be remembered goes into the change of the record. */
    void take(LockRecord record, LockRequest request, long now, Change change);

    /** With a renewal. */
    void keep(LockRecord record, Duration lease, long now, Change change);

    /** With the end of a run, or as if it had not been. */
    void free(LockRecord record, boolean ended, long now, Change change);
}
