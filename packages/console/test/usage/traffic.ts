/** What customers of an organization's pages ask, so that there is something to see. */
import { demoUnits } from "@postcode/demo"
import type { ConsoleSite } from "../ConsoleSite.ts"
import { type MadeKey, makeKey } from "../keys/ApiKeys.ts"

export interface Keys {
  readonly checkout: MadeKey
  readonly nightly: MadeKey
}

/** Does something as if it happened the given number of days ago. */
export const daysEarlier = async <A>(
  { pass_s }: Pick<ConsoleSite, "pass_s">,
  days: number,
  act: () => Promise<A>
): Promise<A> => {
  pass_s(-days * 86_400)
  try {
    return await act()
  } finally {
    pass_s(days * 86_400)
  }
}

/**
 * Two keys for tests, and on each of so many days, the last one today, some requests with them that cost something.
 *
 * @param times how many times as many
 */
export const sendTraffic = async (site: ConsoleSite, organization: string, days: number, times = 1): Promise<Keys> => {
  const begin = days * 86_400
  site.pass_s(-begin)
  const keys = {
    checkout: await makeKey(site, organization, { name: "checkout", max_level: 3 }),
    nightly: await makeKey(site, organization, { name: "nightly job", max_level: 3 })
  }
  const code = await anyCode(site)
  for (let day = 1; day <= days; day++) {
    site.pass_s(86_400)
    for (let i = 0; i < (1 + (day % 4)) * times; i++) {
      await request(site, keys.checkout, `/v1/lookup?code=${code}&level=${i < times ? 3 : 2}`)
      await request(site, keys.nightly, "/v1/search/autocomplete?q=la")
    }
    await request(site, keys.checkout, "/v1/lookup?code=nonsense&level=2")
  }
  return keys
}

/** Sends one request with a key, and answers its id. */
export const request = async ({ origin }: ConsoleSite, { secret }: MadeKey, path: string): Promise<string> => {
  const response = await fetch(origin + path, { headers: { "x-api-key": secret } })
  await response.arrayBuffer()
  return response.headers.get("x-request-id") ?? ""
}

/** A postcode that is in the directory of the site. */
export const anyCode = async ({ origin }: ConsoleSite): Promise<string> => {
  const [chunk] = demoUnits(demoSize)
  const at = chunk?.active.indexOf(1) ?? 0
  const [lat, lon] = [chunk?.lat_e7[at], chunk?.lon_e7[at]].map((degrees_e7 = 0) => degrees_e7 / 1e7)
  const response = await fetch(`${origin}/v1/search/reverse?lat=${lat}&lng=${lon}`)
  const { data } = (await response.json()) as { readonly data: { readonly unit: { readonly postcode: string } } }
  return data.unit.postcode
}

/** As large as the one of the site. */
const demoSize = { units: 20_000 }
