/**
 * All advisory locks of this program, in one place so that their numbers differ. The numbers are arbitrary.
 */
export const advisoryLocks = {
  /** Held during migrations. */
  schema: 7_305_440_119,
  /** Held during an import. */
  import: 7_305_440_120,
  /** Held while a replica creates or drops the months of journals. */
  months: 7_305_440_121,
  /**
   * Held while a replica deletes expired rows. Separate from `months`, which is skipped for an hour if it is locked.
   */
  cleanUp: 7_305_440_122,
  /** Held by changes to the accounts in roles that need at least one account. */
  accounts: 7_305_440_123,
  /** Held while a replica writes the last uses of keys. */
  lastUses: 7_305_440_116,
  /** Held while a sign-up is counted and stored. */
  signUps: 7_305_440_117,
  /** The first of two numbers of locks of notices: the second one is a hash, of an address or a client. */
  notices: 7_305,
  /** Held by the process that a server in a data folder belongs to. */
  embeddedFolder: 7_305_440_118,
  /** The first of 256 locks of end users' identifiers, so it must have the highest number here. */
  endUsers: 7_305_440_124
} as const
