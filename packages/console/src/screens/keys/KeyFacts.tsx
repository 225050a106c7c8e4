import { Copyable } from "../../kit/data/Copyable.tsx"
import { type Fact, Facts } from "../../kit/data/Facts.tsx"
import { requestLimit } from "../../kit/data/requestLimit.ts"
import { ExactTime, Time } from "../../kit/data/Time.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { spentToday } from "./KeysTable.tsx"
import { type ApiKey, EnvironmentBadge, KeyBadge, kindNames } from "./keyLabels.tsx"

/** A key's permissions and dates. */
export const KeyFacts = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { created_at, environment, expires_at, id, kind, last_used_at, origins, revoked_at, status } = apiKey
  const { daily_credit_limit } = apiKey
  const facts: ReadonlyArray<Fact> = [
    ["Status", <KeyBadge key="status" apiKey={apiKey} />],
    ["Environment", <EnvironmentBadge key="environment" environment={environment} />],
    ["Kind", kindNames[kind]],
    ["Permissions", duties(apiKey)],
    ["Requests a minute", requestLimit(apiKey)],
    [daily_credit_limit === undefined ? "Credits a day" : "Credits today", spentToday(apiKey)],
    ["Last used", last_used_at === undefined ? "Never" : <Time key="used" at={last_used_at} />],
    ["Created", <Time key="created" at={created_at} />],
    revoked_at === undefined
      ? [
          status === "expired" ? "Expired" : "Expires",
          expires_at === undefined ? "Never" : <ExactTime key="end" at={expires_at} />
        ]
      : ["Revoked", <ExactTime key="end" at={revoked_at} />],
    ["Id", <Copyable key="id" value={id} label="id" isNamed />]
  ]
  return (
    <Section title="Settings">
      <Facts facts={facts} />
      {kind === "secret" && (
        <div>
          <h3>Allowed IP addresses</h3>
          {apiKey.allowed_ips.length === 0 && <p>Any address.</p>}
          <ul class="origins">
            {apiKey.allowed_ips.map((ip) => (
              <li key={ip}>
                <code>{ip}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {kind === "publishable" && (
        <div>
          <h3>Origins</h3>
          {origins.length === 0 && <p>None: no page can use this key.</p>}
          <ul class="origins">
            {origins.map((origin) => (
              <li key={origin}>
                <code>{origin}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}

/** `Search, lookups up to access level 3` */
const duties = ({ max_level, scopes }: ApiKey): string => {
  const search = scopes.includes("search") ? "Search" : ""
  if (!scopes.includes("lookup")) return search
  const level = `access level ${max_level}`
  return search === "" ? `Lookups up to ${level}` : `${search}, lookups up to ${level}`
}
