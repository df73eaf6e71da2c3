"""The tables of a cluster in PostgreSQL, their versions, and the rights of workers on them.

They are those of `batch.schema`, with the same meanings. What only a cluster has: `setup` (the options of a batch),
`version` and `stopped` of batches, `records` (the transcripts), `late` (records of workers that had lost their item),
`refusals` (batches that a worker cannot run), and `commits`, which shows whether a transaction was committed whose
connection was lost. Times are milliseconds since the epoch, by the clock of the database.
"""

from __future__ import annotations

from typing import Final

SCHEMA: Final = "finclaw"
_FIRST: Final = """
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';
CREATE FUNCTION max(double precision, double precision) RETURNS double precision LANGUAGE sql IMMUTABLE
    AS 'SELECT greatest($1, $2)';
CREATE FUNCTION min(double precision, double precision) RETURNS double precision LANGUAGE sql IMMUTABLE
    AS 'SELECT least($1, $2)';
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT greatest($1, $2)';
CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT least($1, $2)';

CREATE TABLE batches (
    id text PRIMARY KEY, created bigint NOT NULL, most bigint, spent bigint NOT NULL DEFAULT 0,
    held bigint NOT NULL DEFAULT 0, cancelled bigint NOT NULL DEFAULT 0, ends bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0, setup text, stopped text
);
CREATE TABLE items (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, batch text NOT NULL, line bigint NOT NULL, item text NOT NULL,
    name text NOT NULL, input text NOT NULL, own_session text, state text NOT NULL,
    attempts bigint NOT NULL DEFAULT 0, deaths bigint NOT NULL DEFAULT 0, fence bigint NOT NULL DEFAULT 0, worker text,
    has_begun bigint NOT NULL DEFAULT 0, is_retry bigint NOT NULL DEFAULT 0, session text, run_id text,
    cost bigint NOT NULL DEFAULT 0, unpriced bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0,
    exit_code bigint, reason text, result text, place bigint, begun_at_cost bigint NOT NULL DEFAULT 0,
    lost bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX item_line ON items (batch, line);
CREATE INDEX item_state ON items (batch, state, line);
CREATE INDEX item_place ON items (batch, place) WHERE place IS NOT NULL;
CREATE INDEX item_session ON items (batch, own_session, line) WHERE own_session IS NOT NULL;
CREATE INDEX item_unpriced ON items (batch) WHERE unpriced = 1;
CREATE INDEX item_worker ON items (worker) WHERE worker IS NOT NULL;
CREATE TABLE workers (
    id text PRIMARY KEY, host text NOT NULL, pid bigint NOT NULL, version bigint NOT NULL, finclaw text NOT NULL,
    since bigint NOT NULL, lease bigint NOT NULL, has_left bigint NOT NULL DEFAULT 0
);
CREATE TABLE refusals (
    worker text NOT NULL REFERENCES workers ON DELETE CASCADE, batch text NOT NULL REFERENCES batches ON DELETE CASCADE,
    reason text NOT NULL, PRIMARY KEY (worker, batch)
);
CREATE TABLE commits (id text PRIMARY KEY, number bigint NOT NULL, at bigint NOT NULL);
CREATE TABLE records (
    batch text NOT NULL REFERENCES batches ON DELETE CASCADE, session text NOT NULL, at bigint NOT NULL,
    lines bytea NOT NULL, PRIMARY KEY (batch, session, at)
);
CREATE TABLE late (
    batch text NOT NULL REFERENCES batches ON DELETE CASCADE, line bigint NOT NULL, worker text NOT NULL,
    at bigint NOT NULL, lines bytea NOT NULL, PRIMARY KEY (batch, line, worker, at)
);

CREATE VIEW counts AS SELECT batch, state, count(*) AS items FROM items GROUP BY batch, state;
CREATE RULE counts_go_with_items AS ON DELETE TO counts DO INSTEAD NOTHING;

CREATE TABLE buckets (id text PRIMARY KEY, blocked bigint NOT NULL DEFAULT 0);
CREATE TABLE levels (
    bucket text NOT NULL, kind text NOT NULL, chosen bigint, reported bigint,
    full_at double precision NOT NULL DEFAULT 0,
    most double precision GENERATED ALWAYS AS (least(coalesce(chosen, 1e12), coalesce(reported, 1e12))) STORED,
    PRIMARY KEY (bucket, kind)
);
CREATE TABLE takers (
    bucket text NOT NULL, id text NOT NULL, rank bigint NOT NULL, turn bigint NOT NULL, until bigint NOT NULL,
    PRIMARY KEY (bucket, id)
);

CREATE TABLE rounds (
    id text PRIMARY KEY, batch text NOT NULL, model text NOT NULL, requests bigint NOT NULL, since bigint NOT NULL,
    remote text, ended bigint NOT NULL DEFAULT 0
);
CREATE INDEX round_batch ON rounds (batch, ended);
CREATE TABLE questions (
    key text PRIMARY KEY, batch text NOT NULL, line bigint NOT NULL, round text, answer text,
    expired bigint NOT NULL DEFAULT 0
);
CREATE INDEX question_item ON questions (batch, line);
CREATE INDEX question_round ON questions (round) WHERE round IS NOT NULL;
CREATE FUNCTION forget_questions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM questions WHERE batch = old.batch AND line = old.line;
    RETURN NULL;
END $$;
CREATE TRIGGER item_answered AFTER UPDATE OF place ON items FOR EACH ROW WHEN (new.place IS NOT NULL)
    EXECUTE FUNCTION forget_questions();
CREATE TRIGGER item_removed AFTER DELETE ON items FOR EACH ROW EXECUTE FUNCTION forget_questions();
CREATE FUNCTION forget_rounds() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM rounds WHERE batch = old.id;
    RETURN NULL;
END $$;
CREATE TRIGGER batch_removed AFTER DELETE ON batches FOR EACH ROW EXECUTE FUNCTION forget_rounds();
"""
MIGRATIONS: Final[tuple[str, ...]] = (_FIRST,)
"""The script of each version, from nothing to version 1, and so on; one that was released is never changed."""
VERSION: Final = len(MIGRATIONS)
"""The version that this finclaw uses."""
