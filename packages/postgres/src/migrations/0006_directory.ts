/** The editions of the directory. Each has a table of its units beside these, which its import makes: see UnitsTable.ts. */
import { runAll } from "./Statements.ts"

export const createDirectory = runAll(
  `CREATE TABLE postcode.directory_editions (
    edition integer PRIMARY KEY CHECK (edition > 0),
    is_current boolean NOT NULL,
    version text NOT NULL,
    date text NOT NULL,
    units integer NOT NULL,
    active_units integer NOT NULL,
    places jsonb NOT NULL,
    checksum text NOT NULL,
    snapshot_bytes bigint NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  "CREATE UNIQUE INDEX directory_editions_current ON postcode.directory_editions (is_current) WHERE is_current",
  // The snapshot of an edition, cut into parts; one behind the other they are the file.
  `CREATE TABLE postcode.directory_snapshots (
    edition integer NOT NULL REFERENCES postcode.directory_editions ON DELETE CASCADE,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (edition, part)
  )`,
  // Numbers that are packed already do not compress.
  "ALTER TABLE postcode.directory_snapshots ALTER COLUMN bytes SET STORAGE EXTERNAL"
)
