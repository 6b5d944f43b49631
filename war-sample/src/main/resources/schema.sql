-- What the job bodies counted: one row for each time that a body really ran.
CREATE TABLE IF NOT EXISTS job_run (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job     VARCHAR(200) NOT NULL,
    slot    TIMESTAMP(3) WITH TIME ZONE NOT NULL, -- the scheduled fire time
    node    VARCHAR(200) NOT NULL,
    token   BIGINT,                               -- the fencing token; null if the job is not guarded
    started TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    ended   TIMESTAMP(3) WITH TIME ZONE           -- null while it runs, and for ever if its node died
);
CREATE INDEX IF NOT EXISTS job_run_token ON job_run (job, token);
CREATE INDEX IF NOT EXISTS job_run_started ON job_run (started);

-- Who was told no, and why.
CREATE TABLE IF NOT EXISTS job_denial (
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job          VARCHAR(200) NOT NULL,
    slot         TIMESTAMP(3) WITH TIME ZONE,     -- null for triggers whose nodes share no slot
    node         VARCHAR(200) NOT NULL,
    reason       VARCHAR(20) NOT NULL,
    holder       VARCHAR(200),                    -- whose run stood in the way, since when, and its token
    since        TIMESTAMP(3) WITH TIME ZONE,
    holder_token BIGINT,
    at           TIMESTAMP(3) WITH TIME ZONE NOT NULL
);
CREATE INDEX IF NOT EXISTS job_denial_at ON job_denial (at);

-- Runs that never ended, as the next holder of their lock found them.
CREATE TABLE IF NOT EXISTS job_abandoned (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job      VARCHAR(200) NOT NULL,
    slot     TIMESTAMP(3) WITH TIME ZONE,
    node     VARCHAR(200) NOT NULL,
    token    BIGINT NOT NULL,
    since    TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    found_by VARCHAR(200) NOT NULL,
    at       TIMESTAMP(3) WITH TIME ZONE NOT NULL
);

-- Each node's answer to each slot: it ran, or why not. A denial without a slot goes with the run that it was denied for.
CREATE VIEW IF NOT EXISTS job_answer AS
SELECT job, slot, node, CASE WHEN ended IS NULL THEN 'running' ELSE 'ran' END AS answer,
       CAST(NULL AS VARCHAR(200)) AS holder, CAST(NULL AS TIMESTAMP(3) WITH TIME ZONE) AS since, token, started AS at
  FROM job_run
UNION ALL
SELECT job, slot, node, reason, holder, since, holder_token, at
  FROM job_denial WHERE slot IS NOT NULL
UNION ALL
SELECT d.job, r.slot, d.node, d.reason, d.holder, d.since, d.holder_token, d.at
  FROM job_denial d JOIN job_run r ON r.job = d.job AND r.token = d.holder_token WHERE d.slot IS NULL;

-- The files that partners have promised, from expected-files.csv, and what has become of them. One row is one file.
CREATE TABLE IF NOT EXISTS expected_file (
    name          VARCHAR(200) PRIMARY KEY,
    partner       VARCHAR(100) NOT NULL,
    expected_at   TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    state         VARCHAR(20) DEFAULT 'not arrived' NOT NULL, -- not arrived, arrived, sent again
    arrived_at    TIMESTAMP(3) WITH TIME ZONE,      -- when its first version was seen
    version_id    BIGINT,                           -- the version that lies in the inbox now
    seen_size     BIGINT,                           -- of the file that was looked at last: same size, same time, same file
    seen_modified TIMESTAMP(9) WITH TIME ZONE,
    watched_cycle TIMESTAMP(3) WITH TIME ZONE,      -- the last task for it: of which cycle, when and where it was done
    watched_at    TIMESTAMP(3) WITH TIME ZONE,
    watched_by    VARCHAR(200)
);

-- Contents that were delivered: one row for each name and checksum.
CREATE TABLE IF NOT EXISTS file_version (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       VARCHAR(200) NOT NULL,
    number     INT NOT NULL,
    checksum   CHAR(64) NOT NULL,                   -- SHA-256
    size       BIGINT NOT NULL,
    complete   BOOLEAN NOT NULL,                    -- false if its last line is not the end mark that fits
    arrived_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    seen_by    VARCHAR(200) NOT NULL,
    status     VARCHAR(20) DEFAULT 'waiting' NOT NULL, -- waiting, loading, loaded, failed
    attempts   INT DEFAULT 0 NOT NULL,
    loaded_by  VARCHAR(200),
    loaded_at  TIMESTAMP(3) WITH TIME ZONE,
    row_count  INT,
    skip_count INT,
    error      VARCHAR(1000),
    UNIQUE (name, checksum)
);

-- What the files hold. A second load of a line does not get in; it fails aloud.
CREATE TABLE IF NOT EXISTS delivered_row (
    version_id BIGINT NOT NULL,
    reference  VARCHAR(40) NOT NULL,
    account    VARCHAR(40) NOT NULL,
    amount     DECIMAL(15, 2) NOT NULL,
    booked     DATE NOT NULL,
    PRIMARY KEY (version_id, reference)
);
CREATE TABLE IF NOT EXISTS skipped_line (
    version_id BIGINT NOT NULL,
    line       INT NOT NULL,
    text       VARCHAR(1000) NOT NULL,
    reason     VARCHAR(1000) NOT NULL,
    PRIMARY KEY (version_id, line)
);

-- How many tasks a run of a queueing job put on its queue.
CREATE TABLE IF NOT EXISTS queued_tasks (
    job   VARCHAR(200) NOT NULL,
    cycle TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    node  VARCHAR(200) NOT NULL,
    tasks INT NOT NULL,
    at    TIMESTAMP(3) WITH TIME ZONE NOT NULL
);
CREATE INDEX IF NOT EXISTS queued_tasks_cycle ON queued_tasks (cycle);

-- Tasks that were taken over from a node that did not finish them.
CREATE TABLE IF NOT EXISTS taken_over (
    task      VARCHAR(40) NOT NULL,
    from_node VARCHAR(200) NOT NULL,
    node      VARCHAR(200) NOT NULL,
    at        TIMESTAMP(3) WITH TIME ZONE NOT NULL
);

-- The state of all files together, written from time to time.
CREATE TABLE IF NOT EXISTS status_report (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    node        VARCHAR(200) NOT NULL,
    token       BIGINT,
    not_arrived INT NOT NULL,
    arrived     INT NOT NULL,
    sent_again  INT NOT NULL,
    late        INT NOT NULL,
    broken      INT NOT NULL
);

-- The calls of the URL caller: one row for each slot, whatever came of it.
CREATE TABLE IF NOT EXISTS url_call (
    job      VARCHAR(200) NOT NULL,
    slot     TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    node     VARCHAR(200) NOT NULL,
    url      VARCHAR(1000) NOT NULL,
    attempts INT NOT NULL,
    answer   VARCHAR(1000) NOT NULL,                -- the HTTP status, or what went wrong
    at       TIMESTAMP(3) WITH TIME ZONE NOT NULL
);
