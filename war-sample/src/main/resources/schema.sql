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
