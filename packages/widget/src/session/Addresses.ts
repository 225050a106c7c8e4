/**
 * The search for addresses, in a session of the widget. Loaded at the first text that is not a code; it imports no
 * other chunk.
 */
import type { Messages } from "../languages/Messages.ts"
import type { Code } from "../TypedCode.ts"
import type { Problem } from "./Request.ts"
import type { Choice, Suggestion } from "./Search.ts"
import type { Account, AddressAnswer, Session } from "./Session.ts"

/** The pause after the search for places, in addition to the pause before it. */
const pause_ms = 130

/** Shorter texts are the beginning of something. */
const minLength = 3

/** Candidates below it are not shown. */
const minProbability = 0.05

/**
 * The sessions of visitors without an identifier, by service and key. The pickers of a page share them, also with those
 * that take their place when a framework renders the page again: a visitor costs a credit once.
 */
const visits = new Map<string, Promise<Session>>()

export class Addresses {
  readonly #start: () => Promise<Session>
  readonly #settings: Account & { readonly messages: Messages }
  readonly #account: string
  #pausedUntil_ms = 0
  #refusal: unknown

  /** @param start starts a session without an identifier */
  constructor(start: () => Promise<Session>, settings: Account & { readonly messages: Messages }) {
    this.#start = start
    this.#settings = settings
    this.#account = [settings.gateway, settings.platform, settings.publishableKey].join(" ")
  }

  /**
   * Choices for an address that are not among the suggested places.
   * After a refusal nothing is asked until `Retry-After`; without it, nothing more.
   *
   * @param session of an identified user; otherwise one without an identifier is started, for a credit
   * @throws Problem, or the signal's reason once it is aborted
   */
  async find(
    text: string,
    places: ReadonlyArray<Suggestion>,
    session: Session | undefined,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Choice>> {
    const isShort = text.trim().length < minLength
    if (places.length === 0 && (isShort || almostCode.test(text.trim()))) return []
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
    signal.throwIfAborted()
    if (Date.now() < this.#pausedUntil_ms) throw this.#refusal
    try {
      const answer = await (session ?? (await this.visit())).address(text, signal)
      return choicesOf(answer, places, this.#settings.messages)
    } catch (error) {
      const { retryAfter_s = 0, status = 0 } = error as Partial<Problem>
      this.#refusal = error
      const isRefused = status >= 400 && status < 500
      this.#pausedUntil_ms = Date.now() + (retryAfter_s || (isRefused ? Number.POSITIVE_INFINITY : 0)) * 1000
      throw error
    }
  }

  /**
   * The session of a visitor without an identifier. Typing does not abort its start: a session that was asked for is paid
   * for, and serves later texts.
   */
  visit(): Promise<Session> {
    const known = visits.get(this.#account)
    if (known) return known
    const started = this.#start()
    visits.set(this.#account, started)
    started.catch(() => this.forget(started))
    return started
  }

  /** Ends the visit: the next user of this browser may be another person. */
  forget(visit = visits.get(this.#account)): void {
    if (visits.get(this.#account) === visit) visits.delete(this.#account)
  }
}

/** A postcode with errors in it. */
const almostCode = /^[A-Z]{2}[ -]?\d\w[ -]?\w{3}[ -]?\w{2}[ -]?\w{1,3}$/i

/**
 * The answer, if it is new, and what else the text may mean, if it has another name: parts of the answer that look alike
 * are chosen from later. Answers as coarse as suggestions are last.
 */
const choicesOf = (
  { candidates, code, label, understood: { subpremise } }: AddressAnswer,
  places: ReadonlyArray<Suggestion>,
  { unsure }: Messages
): ReadonlyArray<Choice> => {
  const isFine = (code: Code) => code.length > 5
  const choiceOf = (code: Code, label: string): Choice => ({
    code,
    label,
    source: "search",
    ...(code.length > 14 && { address: label, subpremise })
  })
  const choices = candidates
    .filter((one) => one.code !== code && one.label !== label)
    .filter((one) => isFine(one.code) && one.probability >= minProbability)
    .map((one) => ({ ...choiceOf(one.code, one.label), note: unsure }))
  if (code === null || label === null || places.some(({ prefix }) => prefix === code)) return choices
  const answer = choiceOf(code, label)
  return isFine(code) ? [answer, ...choices] : [...choices, answer]
}
