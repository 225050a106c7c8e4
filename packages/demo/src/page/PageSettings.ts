/** What the service tells the demonstration page. */
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"

/** The page's settings, sent as JSON. */
export interface PageSettings {
  /** The origins for which the page's keys are valid. */
  readonly origins: OneOrMore<string>
  /** The port of the platform's host; null if it is the page's. */
  readonly platform_port: number | null
  readonly key: string
  /** A secret key of the test environment, for the forms of the endpoints. */
  readonly test_key: string
  /** A unit for the examples, as texts. */
  readonly unit: { readonly code: string; readonly lat: string; readonly lng: string; readonly address: string }
  /** Where "Use my location" finds the visitor: among streets, wherever the visitor is. */
  readonly position: { readonly lat: number; readonly lng: number }
  readonly failing_keys: FailingKeys
  readonly expired_token: string
  readonly people: OneOrMore<TestUser>
  /** Whether the service has the hosted widget page, for a frame. */
  readonly has_embed: boolean
  readonly has_console: boolean
  /** A URL at which no service answers. */
  readonly nowhere: typeof nowhere
}

type OneOrMore<A> = readonly [A, ...ReadonlyArray<A>]

/** A name that never resolves (RFC 6761). */
export const nowhere = "http://nobody.invalid"

/** A key for each error, by the service's response. */
export interface FailingKeys {
  /** 401: revoked. */
  readonly revoked: string
  /** 402: its organization has no credits. */
  readonly unpaid: string
  /** 403: bound to another origin. */
  readonly elsewhere: string
  /** 429: limited to one request a minute. */
  readonly limited: string
  /** 503: the store is unavailable for it. */
  readonly unavailable: string
}

/** A test user of the page. */
export interface TestUser {
  readonly name: string
  /** The user's identifiers; any one of them suffices. */
  readonly identifiers: readonly [string, ...ReadonlyArray<string>]
  /** Undefined if the service does not know the user. */
  readonly bookmarks: ReadonlyArray<Bookmark> | undefined
}
