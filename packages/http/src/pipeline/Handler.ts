/** What a handler is given and answers, typed by the endpoint of the contract that it serves. */
import type { Api } from "@postcode/api"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Principal } from "@postcode/core/ApiKey"
import type { Receipt } from "@postcode/core/credits/chargeKey"
import type { Directory } from "@postcode/core/Directory"
import type { Manager } from "@postcode/core/ManagementAccess"
import type { WidgetSession } from "@postcode/core/WidgetSession"
import type { Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { GatewayError } from "./ErrorTable.ts"

/** One call of an endpoint, decoded. */
export interface Call<Params, Query, Payload> {
  readonly params: Params
  readonly query: Query
  readonly payload: Payload
  /** The key that was sent, if any. */
  readonly principal: Principal | undefined
  /** The widget session whose token was sent, where the endpoint takes one. */
  readonly session: WidgetSession | undefined
  /** Who manages, where the endpoint is for managers. */
  readonly manager: Manager | undefined
  /** The web origin of the page that asks; undefined if it is no browser. */
  readonly origin: string | undefined
  /** What the client's address is counted under. */
  readonly address: () => string
  readonly request_id: string
  readonly idempotency_key: string | undefined
  /** The directory in force as the call began. It may change meanwhile; a call is answered from this one alone. */
  readonly directory: Directory
}

/** A success: the payload as it goes onto the wire, and what belongs into headers. */
export interface Answer<Data> {
  readonly data: Data
  /** The level served by a lookup. */
  readonly level?: AccessLevel
  /** The `Set-Cookie` header that starts or ends a session in the console. */
  readonly cookie?: string
  /** What a metered request cost, and what is left if the caller may see it. */
  readonly receipt?: Receipt | undefined
}

type Decoded<S> = [S] extends [never] ? undefined : S extends Schema.Top ? S["Type"] : undefined
/** What stands under `data`. Nothing in the contract's successes is transformed, so this is what goes out. */
type Wire<S> = S extends Schema.Top ? (S["Type"] extends { readonly data: infer D } ? D : never) : never

/** A handler of one endpoint. It answers what the contract declares, and fails with what the error table knows. */
export type Handler<Endpoint> = (
  call: Call<
    Decoded<HttpApiEndpoint.Params<Endpoint>>,
    Decoded<HttpApiEndpoint.Query<Endpoint>>,
    Decoded<HttpApiEndpoint.Payload<Endpoint>>
  >
) => Effect.Effect<Answer<Wire<HttpApiEndpoint.Success<Endpoint>>>, GatewayError>

type Groups = (typeof Api)["groups"]

/** The handlers of one group: one for each endpoint, none missing and none too many. */
export type GroupHandlers<Group extends keyof Groups> = {
  readonly [Name in keyof Groups[Group]["endpoints"]]: Handler<Groups[Group]["endpoints"][Name]>
}

/** A handler for every endpoint of the contract. */
export type Handlers = { readonly [Group in keyof Groups]: GroupHandlers<Group> }
