/** The console's address: the part after the `#`. */
import { computed, signal } from "@preact/signals"

/** A location in the console. */
export interface Address {
  /** `/organizations/org_1/keys` */
  readonly path: string
  readonly query: URLSearchParams
}

/** The token of the opened link, such as that of an invitation; only in memory. */
export const linkToken = signal<string | undefined>()

/** Removes the token from the address and the history before other code can read them. */
const readAddress = (): Address => {
  const [, name, token] = /^#(join|confirm|reset|confirm-address|undo|unsubscribe)=(.*)$/s.exec(location.hash) ?? []
  if (token !== undefined) {
    linkToken.value = token
    history.replaceState(null, "", `#/${name}`)
  }
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { path: path === "" ? "/" : path, query: new URLSearchParams(query) }
}

const current = signal<Address>(readAddress())

/** The number of navigations: the browser places the focus on the first page, the console afterwards. */
export const moves = signal(0)

/** The current location. */
export const path = computed(() => current.value.path)
/** The query parameters. */
export const query = computed(() => current.value.query)

addEventListener("hashchange", () => {
  const before = current.value.path
  current.value = readAddress()
  if (current.value.path !== before) moves.value++
})

/** Navigates to another location. */
export const goTo = (to: string): void => {
  location.hash = to
}

/** Replaces the current location in the history. */
export const redirectTo = (to: string): void => {
  history.replaceState(null, "", `#${to}`)
  dispatchEvent(new HashChangeEvent("hashchange"))
}

/** Sets a query parameter, such as a filter; undefined removes it. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const next = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  }
  redirectTo(next.size === 0 ? path.value : `${path.value}?${next}`)
}
