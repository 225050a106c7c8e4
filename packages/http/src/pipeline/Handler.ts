/** The input and the result of a handler, typed by its endpoint in the contract. */
import type { Api } from "@postcode/api"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Directory } from "@postcode/core/Directory"
import type { Receipt } from "@postcode/gateway/credits/charges/chargeKey"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import type { ActiveSession } from "@postcode/gateway/widget/sessions/WidgetSession"
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
  /** The widget session of the token, if the endpoint takes one. */
  readonly session: ActiveSession | undefined
  /** The account or operator, if the endpoint is for managers. */
  readonly manager: Manager | undefined
  /** The web origin of the page that sent the request; undefined without a browser. */
  readonly origin: string | undefined
  /** The rate-limit subject of the client's address. */
  readonly address: () => string
  /** Where browsers reach the service: its public origin, or by default the `Host` of the request. */
  readonly ownOrigin: () => string
  readonly request_id: string
  readonly idempotency_key: string | undefined
  /** The current directory when the call began. A later edition does not affect the call. */
  readonly directory: Directory
}

/** A success: the payload as it is on the wire, and the values for headers. */
export interface Answer<Data> {
  readonly data: Data
  /** The level served by a lookup. */
  readonly level?: AccessLevel
  /** The `Set-Cookie` header that starts or ends a console session. */
  readonly cookie?: string
  /** The price of a metered request, and the balance if the caller may see it. */
  readonly receipt?: Receipt | undefined
}

type Decoded<S> = [S] extends [never] ? undefined : S extends Schema.Top ? S["Type"] : undefined
/** The type of `data`, or of the whole body in OAuth. Successes transform nothing, so this is also their wire format. */
type Wire<S> = S extends Schema.Top ? (S["Type"] extends { readonly data: infer D } ? D : S["Type"]) : never

/** A handler of one endpoint. It returns the success of the contract, and fails with errors of the error table. */
export type Handler<Endpoint> = (
  call: Call<
    Decoded<HttpApiEndpoint.Params<Endpoint>>,
    Decoded<HttpApiEndpoint.Query<Endpoint>>,
    Decoded<HttpApiEndpoint.Payload<Endpoint>>
  >
) => Effect.Effect<Answer<Wire<HttpApiEndpoint.Success<Endpoint>>>, GatewayError>

type Groups = (typeof Api)["groups"]

/** The handlers of one group: exactly one for each endpoint. */
export type GroupHandlers<Group extends keyof Groups> = {
  readonly [Name in keyof Groups[Group]["endpoints"]]: Handler<Groups[Group]["endpoints"][Name]>
}

/** A handler for every endpoint of the contract. */
export type Handlers = { readonly [Group in keyof Groups]: GroupHandlers<Group> }
