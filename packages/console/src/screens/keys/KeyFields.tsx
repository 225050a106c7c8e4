/** The fields of a new key with their explanations. */

import { accessLevels } from "@postcode/core/AccessLevel"
import { keyLimits, publishableDailyCreditLimit } from "@postcode/gateway/InputLimits"
import type { Signal } from "@preact/signals"
import { addedAt, levelMeaning } from "../../kit/data/levels.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { CheckField, ChoiceField, SelectField, TextArea, TextField } from "../../kit/forms/Field.tsx"
import type { Organization } from "../../state/organization.ts"
import { may } from "../../state/permissions.ts"
import { dayIn, highestLevel, type KeyDraft } from "./KeyDraft.ts"
import type { KeyKind } from "./keyLabels.tsx"
import { faultIn, linesOf, type OriginFault } from "./origins/webOrigins.ts"

interface DraftProps {
  readonly draft: KeyDraft
}

interface OfOrganization {
  readonly organization: Organization
}

/** Name, kind and environment. */
export const KindFields = ({ draft, organization }: DraftProps & OfOrganization) => (
  <>
    <TextField
      label="Name"
      hint="What uses it, such as “checkout” or “nightly import”."
      name="name"
      value={draft.name}
      maxLength={keyLimits.name}
    />
    <ChoiceField
      label="Kind"
      value={draft.kind}
      options={[
        ["secret", "Secret", "For servers, scripts and back ends, where others cannot read the key."],
        [
          "publishable",
          "Publishable",
          "For web pages. Anyone can read the key, and it works only on the origins that you list."
        ]
      ]}
    />
    <ChoiceField
      label="Environment"
      value={draft.environment}
      options={[
        ["test", "Test", "The same results, charged to test credits."],
        ["live", "Live", "Charged to live credits."]
      ]}
    />
    {draft.environment.value === "live" && organization.kyb_status !== "verified" && (
      <Notice tone="warning" title="A live key needs a verified business">
        <p>This organization is not verified yet. Until then, create a test key.</p>
        <a href={`#/organizations/${organization.id}/verification`}>Verify the business</a>
      </Notice>
    )}
  </>
)

/** Scopes and level. */
export const ScopeFields = ({ draft, organization }: DraftProps & OfOrganization) => (
  <>
    <fieldset class="choice">
      <legend>Scopes</legend>
      <CheckField
        label="Search"
        hint="Adds names and addresses to search results, from access level 2. Searches without them need no key."
        value={draft.maySearch}
      />
      <CheckField
        label="Look up"
        hint="Looks up units from access level 2. The price depends on the level."
        value={draft.mayLookUp}
      />
      {!draft.maySearch.value && !draft.mayLookUp.value && <p class="error">Choose at least one.</p>}
    </fieldset>
    {draft.mayLookUp.value && (
      <>
        <ChoiceField
          label="Highest access level"
          value={draft.level}
          options={accessLevels
            .filter((level) => level <= highestLevel(draft, organization))
            .map((level) => [String(level), `Level ${level}`, addedAt(level)])}
        />
        <p class="hint">
          {levelMeaning} Requests for a higher level are refused.{" "}
          {draft.kind.value === "publishable" && "A lookup with a publishable key shows level 2 at most. "}
          {draft.environment.value === "test" &&
            "A test key shows the postcodes of the sandbox at each of its levels, and all others up to the granted level. "}
          {organization.granted_level < 5 && <Granted organization={organization} />}
        </p>
      </>
    )}
  </>
)

/** The organization's highest level, and how to raise it: operators grant it, members request it. */
const Granted = ({ organization: { granted_level, id } }: OfOrganization) => (
  <>
    The organization is granted level {granted_level}.{" "}
    {may("updateOrganization") ? (
      <a href={`#/organizations/${id}/manage`}>Grant a higher level</a>
    ) : (
      <a href={`#/organizations/${id}/verification`}>Request a higher level</a>
    )}
  </>
)

/** Expiry and limits. */
export const LimitFields = ({ draft }: DraftProps) => (
  <>
    <SelectField
      label="Expires"
      hint="A forgotten key stops working automatically. Rotate a key that you use before it expires."
      name="expires_at"
      value={draft.lifetime}
      options={[
        ["30", "In 30 days"],
        ["90", "In 90 days"],
        ["365", "In a year"],
        ["date", "On a date…"],
        ["never", "Never"]
      ]}
    />
    {draft.lifetime.value === "date" && (
      <TextField
        label="Last day"
        hint="The key expires at 24:00 UTC."
        type="date"
        name="expires_at"
        value={draft.lastDay}
        min={dayIn(0)}
        max={dayIn(keyLimits.lifetime_days - 1)}
      />
    )}
    <TextField
      label="Credits a day"
      hint={dailyCreditsHint[draft.kind.value]}
      type="number"
      min={1}
      max={keyLimits.daily_credit_limit}
      name="daily_credit_limit"
      value={draft.dailyCredits}
      isOptional
    />
    <TextField
      label="Requests a minute"
      hint="Requests above the limit get 429 until the minute is over. Leave it empty for the default of the service, which only operators can raise."
      type="number"
      min={1}
      max={keyLimits.rate_limit_per_minute}
      name="rate_limit_per_minute"
      value={draft.requestsPerMinute}
      isOptional
    />
  </>
)

const dailyCreditsHint = {
  secret:
    "The most that the key can spend from 00:00 to 24:00 UTC. This limits the cost of a leak or a loop. Leave it empty for no limit.",
  publishable: `The most that the key can spend from 00:00 to 24:00 UTC. Anyone can read the key and spend with it, so the limit cannot be turned off. Leave it empty for ${publishableDailyCreditLimit.toLocaleString("en")}.`
} satisfies Record<KeyKind, string>

/** The addresses that may use a secret key. */
export const AllowedIpsField = ({ value }: { readonly value: { value: string } }) => (
  <TextArea
    label="Allowed IP addresses"
    hint="Addresses or ranges of your servers, one per line, such as 203.0.113.7 or 203.0.113.0/24. Empty for any address."
    name="allowed_ips"
    value={value}
    isOptional
  />
)

/** Origins are compared exactly, so each is checked while it is typed. */
export const OriginsField = ({ value }: { readonly value: Signal<string> }) => {
  const faults = linesOf(value.value)
    .map(faultIn)
    .filter((fault) => fault !== undefined)
  return (
    <>
      <TextArea
        label="Origins"
        hint="Scheme and host of each page, one per line, such as https://shop.example. Each subdomain, www and each port is a separate origin."
        name="origins"
        value={value}
      />
      {faults.length > 0 && <OriginFaults faults={faults} value={value} />}
    </>
  )
}

interface OriginFaultsProps {
  readonly faults: ReadonlyArray<OriginFault>
  readonly value: Signal<string>
}

const OriginFaults = ({ faults, value }: OriginFaultsProps) => (
  <Notice tone="warning" title="Browsers send another form">
    <ul class="faults">
      {faults.map(({ line, origin, why }) => (
        <li key={line}>
          <code>{line}</code>: {why} {origin && <>Use {<code>{origin}</code>}.</>}
        </li>
      ))}
    </ul>
    {faults.some(({ origin }) => origin !== undefined) && (
      <Button onClick={() => (value.value = corrected(value.value))}>Correct</Button>
    )}
  </Notice>
)

const corrected = (text: string): string =>
  [...new Set(linesOf(text).map((line) => faultIn(line)?.origin ?? line))].join("\n")
