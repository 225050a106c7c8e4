/**
 * The web origins of publishable keys. A separate module, so that web pages can load it alone.
 */

/**
 * The format of a browser's `Origin`: scheme, host, and a non-default port. It rejects invalid host names; ports and
 * addresses are normalized by the platform's `URL`.
 */
export const originPattern =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/u

/** The part of a key that restricts its origins. */
export interface Bound {
  readonly kind: "publishable" | "secret"
  readonly origins: ReadonlyArray<string>
}

/** Whether pages of a web origin may use a key. Origins are compared exactly. */
export const servesOrigin = ({ kind, origins }: Bound, origin: string): boolean =>
  kind !== "publishable" || origins.includes(origin)
