/** Management keys: credentials with which an organization's own servers call the management API. */
import { Conflict } from "../../Errors.ts"
import { hasChecksum, managementKeyPrefix, withChecksum } from "../../keys/ApiKey.ts"
import type { MemberRole } from "../../ManagementAccess.ts"

/** The record of a management key, without the key. */
export interface ManagementKey {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  /** What the key may do: what a member with this role may, except give access to others. */
  readonly role: MemberRole
  /** The first characters of the key, to recognize it. */
  readonly prefix: string
  /** The actor that created it, as in the audit log. */
  readonly created_by: string
  /** IP addresses and ranges that may use the key, as `canonicalRange` writes them; empty for any address. */
  readonly allowed_ips: ReadonlyArray<string>
  readonly created_at: string
  /** Exact to a minute. */
  readonly last_used_at?: string
  /** The key expires at this time, ISO 8601 as `Date.toISOString` writes it; absent if it never expires. */
  readonly expires_at?: string
  readonly revoked_at?: string
}

/** Maximum number of active management keys that one account, or the operator token, created in an organization. */
export const maxManagementKeys = 20

/** The time of the last use is updated at most this often. */
export const useInterval_ms = 60_000

/**
 * Builds a management key. It has the form of an API key: prefix, random part and checksum.
 *
 * @param random `randomLength` characters of `[0-9A-Za-z]`
 */
export const composeManagementKey = (random: string): string => withChecksum(managementKeyPrefix + random)

/** Whether a string has the format and the checksum of a management key. It may still not exist. */
export const isWellFormedManagementKey = (key: string): boolean =>
  /^svc_mk_[0-9A-Za-z]{38}$/.test(key) && hasChecksum(key)

/** The error for a key beyond `maxManagementKeys`. */
export const tooManyManagementKeys = new Conflict({
  message: `you created ${maxManagementKeys} active management keys in this organization, which is the limit: revoke one that is no longer used`
})
