import { environments } from "@postcode/core/Credits"
import { keyLimits, publishableDailyCreditLimit } from "@postcode/gateway/InputLimits"
import { keyKinds, overlaps, scopes } from "@postcode/gateway/keys/ApiKey"
import { Result } from "effect"
import { Command } from "effect/cli"
import {
  duration,
  flag,
  list as listOf,
  oneOf,
  optionalFlag,
  optionalText,
  type Reader,
  requiredText,
  text,
  textArgument,
  wholeNumber
} from "../../Parameters.ts"
import { accessLevel, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageKeys.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const list = ofOrganization("list", "List an organization's keys, newest first", { page }, ({ listKeys }) => listKeys)

const create = ofOrganization(
  "create",
  "Create an API key and print it, once",
  {
    name: requiredText("name", "NAME", "What it is for"),
    kind: flag("kind", {
      read: oneOf(keyKinds),
      metavar: "KIND",
      description: "secret for servers, publishable for browsers; default: secret",
      fallback: "secret"
    }),
    environment: flag("environment", {
      read: oneOf(environments),
      metavar: "ENV",
      description: "test or live; live needs verified KYB; default: test",
      fallback: "test"
    }),
    scopes: flag("scopes", {
      read: listOf(oneOf(scopes)),
      metavar: "LIST",
      description: "lookup: lookups from level 2 on; search: names in search from level 2 on; default: both",
      fallback: scopes
    }),
    max_level: flag("max-level", {
      read: accessLevel,
      metavar: "N",
      description:
        "The highest level it may request, 1 to 5; lookups with a publishable key show 2 at most; default: 1",
      fallback: 1
    }),
    origins: optionalFlag("origins", {
      read: listOf(text),
      metavar: "LIST",
      description: "Web origins that may use a publishable key: https://shop.example, https://*.shop.example"
    }),
    allowed_ips: optionalFlag("allowed-ips", {
      read: listOf(text),
      metavar: "LIST",
      description: "IP addresses and ranges that may use a secret key: 203.0.113.7, 2001:db8::/32; default: any"
    }),
    rate_limit_per_minute: optionalFlag("rate-limit-per-minute", {
      read: wholeNumber(1, keyLimits.rate_limit_per_minute),
      metavar: "N",
      description: "Requests a minute; default: the service's limit"
    }),
    daily_credit_limit: optionalFlag("daily-credit-limit", {
      read: wholeNumber(1, keyLimits.daily_credit_limit),
      metavar: "N",
      description: `Credits that it may charge a day, from 00:00 UTC; default ${publishableDailyCreditLimit} for a publishable key, which always has a limit, and what the account holds for a secret one`
    }),
    expires_in_ms: optionalFlag("expires-in", {
      read: duration,
      metavar: "TIME",
      description: "How long it is active: 90d, 12h, 30m; default: for ever"
    })
  },
  ({ createKey }) => createKey
).pipe(
  Command.withExamples([
    { command: 'postcode keys create org_… --name "back office" --max-level 4' },
    {
      command:
        "postcode keys create org_… --name shop --kind publishable --scopes search --origins https://shop.example"
    },
    { command: "postcode keys create org_… --name contractor --expires-in 90d --daily-credit-limit 500" }
  ])
)

const id = textArgument("KEY", "A key's id: key_…")

const show = command(
  "show",
  "Show a key, and what it was used for in about the last hour",
  { id },
  ({ showKey }) => showKey
)

/** A list, which a word stands for where it is empty. */
const listOrEmpty =
  (word: string): Reader<ReadonlyArray<string>> =>
  (given) =>
    given === word ? Result.succeed([]) : listOf(text)(given)

/** A number; null for `default`. */
const numberOrDefault =
  (maximum: number): Reader<number | null> =>
  (given) =>
    given === "default"
      ? Result.succeed(null)
      : Result.mapError(wholeNumber(1, maximum)(given), (expected) => `${expected}, or default`)

const update = command(
  "update",
  "Change a key's name, origins, allowed addresses and limits; its kind, environment, scopes and level stay",
  {
    id,
    name: optionalText("name", "NAME", "What it is for"),
    origins: optionalFlag("origins", {
      read: listOrEmpty("none"),
      metavar: "LIST",
      description: "All web origins that may use a publishable key, or none"
    }),
    allowed_ips: optionalFlag("allowed-ips", {
      read: listOrEmpty("any"),
      metavar: "LIST",
      description: "All IP addresses and ranges that may use a secret key, or any"
    }),
    rate_limit_per_minute: optionalFlag("rate-limit-per-minute", {
      read: numberOrDefault(keyLimits.rate_limit_per_minute),
      metavar: "N",
      description: "Requests a minute, or default for the service's own limit"
    }),
    daily_credit_limit: optionalFlag("daily-credit-limit", {
      read: numberOrDefault(keyLimits.daily_credit_limit),
      metavar: "N",
      description: `Credits a day, or default: ${publishableDailyCreditLimit} for a publishable key, no limit for a secret one`
    })
  },
  ({ updateKey }) => updateKey
).pipe(
  Command.withExamples([
    { command: "postcode keys update key_… --origins 'https://shop.example,https://*.shop.example'" },
    { command: "postcode keys update key_… --allowed-ips 203.0.113.7,2001:db8::/32" }
  ])
)

const overlap = flag("overlap", {
  read: oneOf(overlaps),
  metavar: "TIME",
  description: "How long the old key stays active: now, 1h, 24h or 7d; default: 24h",
  fallback: "24h"
})

const rotate = command(
  "rotate",
  "Replace a key with a new one that has the same settings, and print the new key, once",
  { id, overlap },
  ({ rotateKey }) => rotateKey
)

const revoke = command("revoke", "Revoke a key immediately", { id }, ({ revokeKey }) => revokeKey)

export const keys = Command.make("keys").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([list, show, create, update, rotate, revoke])
)
