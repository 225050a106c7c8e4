/**
 * The limits of what callers may send: the contract refuses more, and the command line and the forms of the console do not
 * send it. Lengths of texts are in UTF-16 units. This file imports nothing, because pages load it.
 */

/** Maximum number of requests per minute that a key or an organization can be given. */
const maxRateLimit = 1_000_000

/** Of the fields of a key. */
export const keyLimits = {
  name: 100,
  origins: 50,
  allowed_ips: 50,
  rate_limit_per_minute: maxRateLimit,
  daily_credit_limit: 1_000_000_000,
  /** Ten years. Requests for longer lifetimes should omit the expiry instead. */
  lifetime_days: 3_653
} as const

/**
 * Default daily limit of a publishable key, in credits. Anyone can read such a key and spend with it, so it always has a
 * limit.
 */
export const publishableDailyCreditLimit = 1_000

/** Of the fields of an organization, and of the reasons and notes about it. */
export const organizationLimits = {
  name: 200,
  business_name: 200,
  registration_number: 100,
  note: 2_000,
  rate_limit_per_minute: maxRateLimit
} as const

/** Of grants, corrections and thresholds, in credits, and of their texts. A correction adds or takes. */
export const creditLimits = {
  grant: 1_000_000_000,
  correction: 1_000_000_000,
  threshold: 1_000_000_000_000,
  reason: 500,
  reference: 200
} as const

/** Of the fields of an account and of its credentials. The minimum length of a password is in characters. */
export const accountLimits = {
  name: 100,
  /** As long as a path in RFC 5321. */
  email: 254,
  minPassword: 12,
  password: 256,
  passkey_name: 100,
  management_key_name: 100,
  /** The name of a management key begins with "Login of ". */
  machine: 80
} as const

/** Of the fields of a webhook. */
export const webhookLimits = { url: 2_000, description: 200, fault: 200 } as const

/** Of an import of the directory: its texts, and the parts in which its files are sent. */
export const importLimits = {
  file_name: 255,
  data_version: 100,
  column_name: 200,
  skip_lines: 1_000,
  /** Bytes of a piece of a part, which is sent as base64. */
  piece_bytes: 45_000,
  pieces: 24
} as const

/** Of the texts of a batch of changes of the directory. */
export const changeLimits = { reason: 500, reference: 200 } as const

/** Of a request that saves end users. */
export const endUserLimits = { identifiers: 10, bookmarks: 100, batch: 500, label: 100 } as const

/** Maximum length of a text that is completed. */
export const maxSearchText = 200

/** Maximum length of an address: `maxAddressLength` of core. */
export const maxAddressText = 500

/** Maximum number of codes, points or texts in a batch. */
export const maxBatch = 100

/** Maximum length of a code in a batch: the response repeats the code. */
export const maxCodeLength = 100
