"""The filings store: one SQLite file in finclaw's data folder.

It keeps a write-ahead log, so that readers see the last committed state while an import writes. The values of one
concept in one unit are one row of JSON: a company has hundreds of concepts and tens of thousands of values, and what is
asked for is always a whole concept. The words of filings are in an FTS5 index without content of its own; the text is
kept once, in `documents`, and passages are offsets into it.
"""

from __future__ import annotations

from finclaw_cli.sdk.store import StoreFile
from finclaw_filings.problems import StoreProblem

FILE_NAME = "filings.db"
_SCHEMA = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, sha256 TEXT NOT NULL, retrieved_at TEXT NOT NULL,
    rows TEXT NOT NULL, UNIQUE (kind, ref, sha256)
);
CREATE TABLE companies (
    cik INTEGER PRIMARY KEY, name TEXT, name_key TEXT, sic TEXT, industry TEXT, fiscal_year_end TEXT,
    former_names TEXT, facts_until TEXT, facts_source INTEGER REFERENCES sources,
    profile_source INTEGER REFERENCES sources
);
CREATE INDEX companies_by_name ON companies (name_key);
CREATE TABLE tickers (
    ticker TEXT NOT NULL, cik INTEGER NOT NULL, exchange TEXT, source_id INTEGER NOT NULL REFERENCES sources,
    PRIMARY KEY (ticker, cik)
) WITHOUT ROWID;
CREATE INDEX tickers_by_company ON tickers (cik);
CREATE TABLE concepts (
    cik INTEGER NOT NULL, taxonomy TEXT NOT NULL, tag TEXT NOT NULL, unit TEXT NOT NULL, label TEXT,
    count INTEGER NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (cik, taxonomy, tag, unit)
);
CREATE TABLE filings (
    accession TEXT NOT NULL, cik INTEGER NOT NULL, form TEXT NOT NULL, filed TEXT NOT NULL, period TEXT,
    document TEXT, source_id INTEGER NOT NULL REFERENCES sources, PRIMARY KEY (accession, cik)
) WITHOUT ROWID;
CREATE INDEX filings_by_company ON filings (cik, filed);
CREATE TABLE asked (url TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    accession TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, sections TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, accession TEXT NOT NULL, section TEXT, start INTEGER NOT NULL, stop INTEGER NOT NULL
);
CREATE INDEX passages_by_document ON passages (accession);
CREATE VIRTUAL TABLE words USING fts5(content, content='', tokenize='porter unicode61 remove_diacritics 2');
"""
# Version 1 did not keep whose a text is and when it was filed: the latest of the days that are known is safe. A text
# belongs to the company that it was imported for, and is known from its own day on, however early other files have its
# accession.
_UPGRADE = """
ALTER TABLE documents ADD COLUMN cik INTEGER;
ALTER TABLE documents ADD COLUMN filed TEXT;
UPDATE documents SET
    cik = coalesce(
        (SELECT f.cik FROM filings f WHERE f.accession = documents.accession AND f.source_id = documents.source_id),
        (SELECT f.cik FROM filings f WHERE f.accession = documents.accession ORDER BY f.filed DESC LIMIT 1)
    ),
    filed = (SELECT max(f.filed) FROM filings f WHERE f.accession = documents.accession);
CREATE VIEW texts AS SELECT f.accession, f.cik, f.form, max(f.filed, d.filed) AS filed
FROM filings f JOIN documents d ON d.accession = f.accession AND d.cik = f.cik;
"""
_OWNERSHIP = """
CREATE TABLE ownership (
    accession TEXT PRIMARY KEY, cik INTEGER NOT NULL, form TEXT NOT NULL, filed TEXT NOT NULL, period TEXT,
    about TEXT NOT NULL, rows TEXT NOT NULL, source_id INTEGER NOT NULL REFERENCES sources
) WITHOUT ROWID;
CREATE INDEX ownership_by_company ON ownership (cik, filed);
"""
STORE = StoreFile(
    name=FILE_NAME,
    content="filings store",
    distribution="finclaw-filings",
    table="companies",
    migrations=(_SCHEMA, _UPGRADE, _OWNERSHIP),
    application_id=0x6663666C,  # "fcfl"
    repair="move it away and import again",
    # A power cut may cost the last import, which can be done again, but never damages the store.
    pragmas=("synchronous = NORMAL",),
    follow_links=True,
    failure=lambda error: StoreProblem(str(error)),
)
reading, writing = STORE.reading, STORE.writing
