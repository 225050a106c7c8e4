/** `postcode keys`. */
import type { ApiKey, InputOf } from "@postcode/client"
import type { Overlap } from "@postcode/gateway/keys/ApiKey"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { say, writeData, writeJson } from "@postcode/server/process/Output"
import { counted, grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { connect, request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { localTime } from "../../terminal/LocalTime.ts"
import { type PrintOptions, printRecord, printSecret } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"
import { expiryAfter, untilText } from "../keyLifetime.ts"

/** `postcode keys list` */
export const listKeys: Work<Paged & Id> = ({ id, page }, options) =>
  printList(options, "GET /v1/admin/organizations/:id/keys", { params: { id } }, page, {
    columns: {
      ID: "id",
      NAME: "name",
      KEY: ({ prefix }) => `${prefix}…`,
      KIND: "kind",
      ENV: "environment",
      SCOPES: ({ scopes }) => scopes.join(","),
      LEVEL: { right: "max_level" },
      STATUS: "status",
      EXPIRES: "expires_at",
      TODAY: { right: chargedToday },
      "LAST USED": "last_used_at"
    },
    empty: `no keys yet: ${commandName()} keys create ${id} --name NAME makes one`
  })

/** `120 of 500` credits. */
const chargedToday = ({ credits_today = 0, daily_credit_limit }: ApiKey) =>
  daily_credit_limit === undefined ? undefined : `${credits_today} of ${daily_credit_limit}`

/** `postcode keys show`: before revoking a key, an operator sees what will stop. */
export const showKey: Work<Id> = (params, options) =>
  Effect.gen(function* () {
    const call = yield* connect(options)
    const key = yield* call("GET /v1/admin/keys/:id", { params })
    const traffic = yield* call("GET /v1/admin/keys/:id/traffic", { params })
    if (options.json) return yield* writeJson({ ...key, traffic })
    yield* printRecord(options, key, fields)
    yield* writeData("\n")
    yield* printRecord(options, traffic, {
      "traffic since": "since",
      requests: ({ requests }) => grouped(requests),
      refused: ({ refused }) => grouped(refused),
      credits: ({ credits }) => grouped(credits)
    })
  })

const fields: View<ApiKey> = {
  id: "id",
  organization: "organization_id",
  name: "name",
  key: ({ prefix }) => `${prefix}…`,
  kind: "kind",
  environment: "environment",
  scopes: ({ scopes }) => scopes.join(", "),
  level: "max_level",
  origins: ({ origins }) => origins.join(", "),
  "allowed addresses": ({ allowed_ips }) => allowed_ips.join(", "),
  "requests a minute": "rate_limit_per_minute",
  "credits today": chargedToday,
  status: "status",
  warning: "warning",
  created: "created_at",
  "last used": "last_used_at",
  expires: "expires_at",
  revoked: "revoked_at",
  replaces: "replaces",
  "replaced by": "replaced_by"
}

interface Creation extends Omit<InputOf<"POST /v1/admin/organizations/:id/keys">["body"], "expires_at"> {
  readonly expires_in_ms: number | undefined
}

/** `postcode keys create` */
export const createKey: Work<Creation & Id> = ({ expires_in_ms, id, ...fields }, options) =>
  Effect.gen(function* () {
    const body = { ...fields, expires_at: yield* expiryAfter(expires_in_ms) }
    const key = yield* request(options, "POST /v1/admin/organizations/:id/keys", { params: { id }, body })
    const spending =
      key.daily_credit_limit === undefined ? "" : `, at most ${counted(key.daily_credit_limit, "credit")} a day`
    sayWarning(key, options)
    const message = `key ${key.id}, up to level ${key.max_level}${spending}${untilText(key.expires_at)}; it is shown this once:`
    yield* printSecret(options, key, message, key.secret)
  })

/** `postcode keys update` */
export const updateKey: Work<InputOf<"PATCH /v1/admin/keys/:id">["body"] & Id> = ({ id, ...body }, options) =>
  Object.values(body).every((value) => value === undefined)
    ? Effect.fail(nothingToChange)
    : printResponse(options, "PATCH /v1/admin/keys/:id", { params: { id }, body }, fields)

const nothingToChange = new CommandFailure(
  "nothing to change: give --name, --origins, --allowed-ips, --rate-limit-per-minute or --daily-credit-limit",
  exitCodes.wrongUsage
)

/** `postcode keys rotate` */
export const rotateKey: Work<Id & { readonly overlap: Overlap }> = ({ id, overlap }, options) =>
  Effect.gen(function* () {
    const key = yield* request(options, "POST /v1/admin/keys/:id/rotate", { params: { id }, body: { overlap } })
    const end = overlap === "now" ? "is revoked" : `stays active until ${localTime(key.replaced_expires_at)}`
    sayWarning(key, options)
    yield* printSecret(options, key, `key ${key.id} replaces ${id}, which ${end}; it is shown this once:`, key.secret)
  })

/** With `--json`, the warning is in the output. */
const sayWarning = ({ warning }: Pick<ApiKey, "warning">, { json }: PrintOptions): void => {
  if (warning !== undefined && !json) say(`warning: ${warning}`)
}

/** `postcode keys revoke` */
export const revokeKey: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/keys/:id", { params }, { id: "id", revoked: "revoked_at" })
