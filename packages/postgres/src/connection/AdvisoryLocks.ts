/**
 * The advisory locks of this program, side by side, so that no two are alike. Any numbers that no other program takes.
 */
export const advisoryLocks = {
  /** Held while the schema is brought up to date. */
  schema: 7_305_440_119,
  /** Held by an import, from its beginning to its end. */
  import: 7_305_440_120,
  /** Held while one replica makes and drops the months of journals. */
  months: 7_305_440_121,
  /** Held while one replica deletes what counts no longer. Another lock, as months that stand aside wait for an hour. */
  cleanUp: 7_305_440_122,
  /** Held by a change of who is in a role that must not be without anybody. */
  accounts: 7_305_440_123,
  /** The first of those that saves of end users share; nothing stands behind them. */
  endUsers: 7_305_440_124
} as const
