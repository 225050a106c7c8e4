/** The facts of stored records that charges depend on, see `decideCharges`. */

import type { ChargeableKey, ChargeableOrganization } from "@postcode/core/Credits"
import { type ApiKeyRecord, chainOf } from "../../keys/ApiKey.ts"
import type { Organization } from "../../organizations/Organization.ts"

/** The facts of a key. */
export const keyFacts = (
  key: Pick<
    ApiKeyRecord,
    "chain_id" | "daily_credit_limit" | "environment" | "expires_at" | "id" | "organization_id" | "revoked_at"
  >
): ChargeableKey => ({
  id: key.id,
  organization_id: key.organization_id,
  environment: key.environment,
  chain_id: chainOf(key),
  daily_credit_limit: key.daily_credit_limit,
  expires_at_ms: key.expires_at === undefined ? undefined : Date.parse(key.expires_at),
  is_revoked: key.revoked_at !== undefined
})

/** The facts of an organization. */
export const organizationFacts = ({
  granted_level,
  kyb_status,
  status
}: Pick<Organization, "granted_level" | "kyb_status" | "status">): ChargeableOrganization => ({
  granted_level,
  is_active: status === "active",
  is_verified: kyb_status === "verified"
})
