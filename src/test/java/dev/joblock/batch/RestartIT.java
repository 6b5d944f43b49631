package dev.joblock.batch;

/** Restarts with the job repository in H2. */
class RestartIT extends RestartContract {
    @Override
    Database database() {
        return Database.h2();
    }
}
