/**
 * The web origins of publishable keys. A separate module, so that web pages can load only this.
 */

/**
 * The format of a browser's `Origin`: scheme, host, and a non-default port. It rejects invalid host names; ports and
 * addresses are normalized by the platform's `URL`.
 */
export const originPattern =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/u

/**
 * The format of entries other than origins of pages: `https://*.shop.example`, in which `*` means exactly
 * one label of a host with at least two more, and the origins of app frames. All apps of a framework share its origin, so
 * this one binds a key to nothing.
 */
export const originFamilyPattern =
  /^(?:https:\/\/\*(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){2,}(?::[1-9]\d{0,4})?|(?:capacitor|ionic):\/\/localhost)$/u

/** The part of a key that restricts its origins. */
export interface Bound {
  readonly kind: "publishable" | "secret"
  readonly origins: ReadonlyArray<string>
}

/** Whether pages of a web origin may use a key. Origins are compared exactly, except for the `*` of a family. */
export const servesOrigin = ({ kind, origins }: Bound, origin: string): boolean =>
  kind !== "publishable" || origins.some((listed) => isListed(listed, origin))

const isListed = (listed: string, origin: string): boolean => {
  const at = listed.indexOf("*")
  if (at === -1) return listed === origin
  if (!origin.startsWith(listed.slice(0, at))) return false
  const end = listed.slice(at + 1)
  return origin.endsWith(end) && label.test(origin.slice(at, -end.length))
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u
