/** The signed-in account, and the end of its console session. */
import { signal } from "@preact/signals"
import type { DataOf, InputOf, Route } from "../client/Contract.ts"
import { Problem, problemOf } from "../client/Problem.ts"
import { send } from "../client/send.ts"

/** An account in its own view. */
export type Account = DataOf<"GET /v1/admin/account">

/** The signed-in account; undefined before sign-in. Kept while an ended session is renewed. */
export const account = signal<Account | undefined>()

/** The organization in which a member's calls act; undefined for an operator. Calls about the account act in none. */
export const actingIn = signal<string | undefined>()

/** Whether the sign-in state is known; a problem if it cannot be loaded. */
export const signInState = signal<"asking" | "known" | Problem>("asking")

/** Whether the session has ended during use: a dialog asks to sign in again. */
export const hasSessionEnded = signal(false)

/** The number of sign-ins, so that calls that failed in between are repeated. */
export const signInCount = signal(0)

/**
 * Notifies the console's other tabs of a sign-in: all share one cookie, so the service takes their requests as the new
 * account's.
 */
const elsewhere = new BroadcastChannel("account")

elsewhere.onmessage = ({ data }) => {
  if (account.value !== undefined && account.value.id !== data) reloadPage()
}

/** Loads the sign-in state at the start of the page. */
export const begin = async (): Promise<void> => {
  signInState.value = "asking"
  try {
    account.value = await send("GET /v1/admin/account", {})
    signInState.value = "known"
  } catch (error) {
    const problem = problemOf(error)
    signInState.value = problem.status === 401 ? "known" : problem
  }
}

/**
 * Sets the account after a sign-in. If it is a different account, the page is reloaded: everything on it belongs to the
 * previous one.
 */
export const enter = (next: Account): void => {
  const isAnother = account.value !== undefined && account.value.id !== next.id
  account.value = next
  signInCount.value++
  hasSessionEnded.value = false
  elsewhere.postMessage(next.id)
  if (isAnother) reloadPage()
}

/** Removes everything of the session from the page. */
export const leave = (): void => reloadPage()

/**
 * Calls the service as the signed-in account. If the session has ended, it asks for sign-in, and the caller repeats the
 * call.
 *
 * @throws Problem, with the code `session_ended` in that case; or the signal's reason
 */
export const call = async <R extends Route>(
  route: R,
  input: InputOf<R>,
  signal: AbortSignal | null = null
): Promise<DataOf<R>> => {
  try {
    return await send(route, input, { signal, organization: isOwnCall(route) ? undefined : actingIn.peek() })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    hasSessionEnded.value = true
    throw new Problem({ status: 401, code: "session_ended", message: "the session has ended, so nothing was changed" })
  }
}

const isOwnCall = (route: Route): boolean => route.includes(" /v1/admin/account")

/** An address without `#` is a different document, so the browser reloads and memory is cleared. */
const reloadPage = (): void => {
  sessionStorage.clear()
  location.replace("/console/")
}
