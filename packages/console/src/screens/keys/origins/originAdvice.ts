/** Explains how a page's origin differs from the origins of a key. */

/**
 * @param origin of the page
 * @param listed the key's origins, which do not include that origin
 */
export const adviceOn = (origin: string, listed: ReadonlyArray<string>): string => {
  const page = new URL(origin)
  const [nearest] = listed
    .map((text) => ({ text, differences: differencesOf(page, new URL(text)) }))
    .filter(({ differences }) => differences !== undefined)
    .sort((a, b) => (a.differences?.length ?? 0) - (b.differences?.length ?? 0))
  if (nearest?.differences !== undefined) return `It lists ${nearest.text}: ${nearest.differences.join(", and ")}.`
  return listed.length === 0 ? "It lists no origin." : "It lists other hosts."
}

/** Undefined if the hosts are unrelated. */
const differencesOf = (page: URL, listed: URL): ReadonlyArray<string> | undefined => {
  const host = hostDifference(page.hostname, listed.hostname)
  if (host === undefined) return undefined
  const scheme = page.protocol === listed.protocol ? [] : [`the page is on ${page.protocol.slice(0, -1)}`]
  const port =
    portOf(page) === portOf(listed) || page.port === listed.port ? [] : [`the page’s port is ${portOf(page)}`]
  return [...host, ...scheme, ...port]
}

const hostDifference = (page: string, listed: string): ReadonlyArray<string> | undefined => {
  if (page === listed) return []
  if (page === `www.${listed}` || listed === `www.${page}`) return ["hosts with and without www differ"]
  if (isLocal(page) && isLocal(listed)) return [`browsers treat ${page} as another host`]
  const isBelow = page.endsWith(`.${listed}`) || listed.endsWith(`.${page}`)
  return isBelow ? [`${page} is another host`] : undefined
}

const isLocal = (host: string): boolean => host === "localhost" || host === "127.0.0.1" || host === "[::1]"

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80")
