/** Where one is in the console: what its address says behind the `#`. */
import { computed, signal } from "@preact/signals"

/** A place in the console. */
export interface Address {
  /** `/organizations/org_1/keys` */
  readonly path: string
  readonly query: URLSearchParams
}

/** The token of the invitation whose link was opened; in memory alone. */
export const joinToken = signal<string | undefined>()

/** Where the page for it is. */
export const joinPath = "/join"

/** Takes the token out of the address and out of the history, before anything else can look at them. */
const readAddress = (): Address => {
  const [, token] = /^#join=(.*)$/s.exec(location.hash) ?? []
  if (token !== undefined) {
    joinToken.value = token
    history.replaceState(null, "", `#${joinPath}`)
  }
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { path: path === "" ? "/" : path, query: new URLSearchParams(query) }
}

const current = signal<Address>(readAddress())

/** How often one went somewhere: on the first page the browser places the focus, from then on the console does. */
export const moves = signal(0)

/** Where one is. */
export const path = computed(() => current.value.path)
/** What is looked at there. */
export const query = computed(() => current.value.query)

addEventListener("hashchange", () => {
  const before = current.value.path
  current.value = readAddress()
  if (current.value.path !== before) moves.value++
})

/** Goes to another place of the console. */
export const goTo = (to: string): void => {
  location.hash = to
}

/** Goes to another place that takes the place of this one in the history. */
export const goInstead = (to: string): void => {
  history.replaceState(null, "", `#${to}`)
  dispatchEvent(new HashChangeEvent("hashchange"))
}

/** Says in the address what is looked at on this screen, such as a filter; undefined takes it out. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const next = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  }
  goInstead(next.size === 0 ? path.value : `${path.value}?${next}`)
}
