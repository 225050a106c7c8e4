/**
 * The web origins that publishable keys are bound to. It stands alone, so that a page which asks the same question loads
 * nothing else.
 */

/**
 * What an origin looks like that browsers send: scheme, host, and port if the scheme has another. It refuses hosts that no
 * name can have; which ports and which addresses are written as they are sent, the platform's `URL` knows.
 */
export const originPattern =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/u

/** Of a key, what says where it may be used. */
export interface Bound {
  readonly kind: "publishable" | "secret"
  readonly origins: ReadonlyArray<string>
}

/** Whether pages of a web origin may use a key. What differs in a character is another origin. */
export const servesOrigin = ({ kind, origins }: Bound, origin: string): boolean =>
  kind !== "publishable" || origins.includes(origin)
