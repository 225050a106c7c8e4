/** Who is signed in, and what happens once a session ends. */
import { signal } from "@preact/signals"
import type { DataOf, InputOf, Route } from "../client/Contract.ts"
import { Problem, problemOf } from "../client/Problem.ts"
import { send } from "../client/send.ts"

/** An account, as it sees itself. */
export type Account = DataOf<"GET /v1/admin/account">

/** Whoever is signed in; undefined before anybody is. It stays while a session that ended is renewed. */
export const account = signal<Account | undefined>()

/** Whether it is known yet who is signed in; a problem if it cannot be found out. */
export const beginning = signal<"asking" | "known" | Problem>("asking")

/** Whether the session has ended under the one who used it: a dialog asks them to sign in again. */
export const hasEnded = signal(false)

/** Counts the times of signing in, so that what failed in between can be loaded again. */
export const timesSignedIn = signal(0)

/**
 * Tells the console's other pages in this browser who has signed in: they all have the same cookie, so whoever they show,
 * the service takes what they send for that person's.
 */
const elsewhere = new BroadcastChannel("account")

elsewhere.onmessage = ({ data }) => {
  if (account.value !== undefined && account.value.id !== data) startAnew()
}

/** Finds out who is signed in, at the start of the page. */
export const begin = async (): Promise<void> => {
  beginning.value = "asking"
  try {
    account.value = await send("GET /v1/admin/account", {})
    beginning.value = "known"
  } catch (error) {
    const problem = problemOf(error)
    beginning.value = problem.status === 401 ? "known" : problem
  }
}

/**
 * Takes over who has just signed in. Where that is another person than before, nothing on the page is theirs: it begins
 * anew.
 */
export const enter = (next: Account): void => {
  const isAnother = account.value !== undefined && account.value.id !== next.id
  account.value = next
  timesSignedIn.value++
  hasEnded.value = false
  elsewhere.postMessage(next.id)
  if (isAnother) startAnew()
}

/** Leaves nothing of the session on the page. */
export const leave = (): void => startAnew()

/**
 * Calls the service for whoever is signed in. Where the session has ended, signing in is asked for, and the call is left
 * to be repeated.
 *
 * @throws Problem, with the code `session_ended` if that is why; or what the signal threw
 */
export const call = async <R extends Route>(
  route: R,
  input: InputOf<R>,
  signal: AbortSignal | null = null
): Promise<DataOf<R>> => {
  try {
    return await send(route, input, signal)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    hasEnded.value = true
    throw new Problem({ status: 401, code: "session_ended", message: "the session had ended, so nothing was done" })
  }
}

/** An address without a `#` is another page to the browser, even if it is the same otherwise: all memory is gone. */
const startAnew = (): void => {
  sessionStorage.clear()
  location.replace("/console/")
}
