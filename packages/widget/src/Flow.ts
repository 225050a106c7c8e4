/**
 * The dialogue of the picker up to its first use: what it shows, what is typed, and what is confirmed. `Ways` has the rest.
 */

import type { Dialogue, FlowSettings, Listener, Otherwise, Said } from "./Dialogue.ts"
import type { ListBox } from "./ListBox.ts"
import { fill } from "./languages/Messages.ts"
import { loadAgain } from "./loadAgain.ts"
import type { SavedForm } from "./Saved.ts"
import { Latest } from "./session/Latest.ts"
import { Problem, urlOf } from "./session/Request.ts"
import type { Choice, Names } from "./session/Search.ts"
import { adoptStyles } from "./styles.ts"
import { type Code, depthOf, depthUntil, readCode, slotsOf, spaced } from "./TypedCode.ts"
import { make, svg, type View } from "./View.ts"
import type { Ways } from "./Ways.ts"

/** The pause in typing after which a search starts. */
const pause_ms = 120

/** Runs the dialogue with one end user. */
export class Flow implements Dialogue {
  readonly view: View
  readonly settings: FlowSettings
  readonly listener: Listener
  readonly asking = new Latest()
  /** Whether the service does not find what was typed now. */
  isUnavailable = false
  isTaken = false
  isTyped = false
  form: SavedForm | undefined
  place = ""
  #ways: Ways | undefined
  /** The last problem of a search that the page heard of. */
  #problem = ""
  /** Whether the key cannot pay for sessions, today or until credits are added. */
  #isUsedUp = false
  /** Whether the selection is shown, in place of the ways to one. */
  #isDone = false
  #said: Said = ["hint"]
  #timer: ReturnType<typeof setTimeout> | undefined
  /** What is loaded at the first touch. */
  #touch: Promise<unknown> | undefined

  constructor(view: View, settings: FlowSettings, listener: Listener) {
    this.view = view
    this.settings = settings
    this.listener = listener
    this.#listen()
  }

  /** Restarts. An identified end user keeps the session. */
  start(text: string): void {
    this.stop()
    this.isTaken = false
    if (!(this.#said[2] || this.#said[0] === "unavailable")) this.#said = ["hint"]
    const code = readCode(text, this.depth)
    this.place = (code && this.#ways?.search.placeOf(code)) || ""
    this.finish(code !== undefined)
    this.setText(text)
    if (code && !this.namesOf(code)) void this.findNames({ code, label: "" })
  }

  /**
   * Removes the session and its bookmarks.
   *
   * @param ofPage also the visit that the pickers of the page share
   */
  forget(ofPage = false): void {
    this.#ways?.forget(ofPage)
    this.#isUsedUp = false
    this.setUnavailable(false)
    this.#said = ["hint"]
  }

  stop(): void {
    this.#abort()
    this.#list?.show([])
    this.form?.close()
    this.form = undefined
    this.finish(this.#isDone)
  }

  /** Updates all texts to the current language. */
  render(label: string, isLabelledOutside: boolean): void {
    const { change, input, label: labelNode, list, locate, root, saved, unlisted } = this.view
    const { messages } = this.settings
    labelNode.textContent = label
    labelNode.hidden = isLabelledOutside
    input.ariaLabel = label
    list.ariaLabel = messages.suggestions ?? null
    if (locate.lastChild) locate.lastChild.nodeValue = messages.locate
    saved.textContent = messages.saved
    unlisted.textContent = messages.unlisted
    // The nodes of the page that describe it are needed before the first focus.
    if (root.host.matches("[aria-describedby]")) void this.#touched()
    const canOpen = this.canIdentify && this.settings.saved && !this.isUnavailable
    saved.hidden = !canOpen && !this.#ways?.user.bookmarks
    change.textContent = messages.change
    this.form?.render(messages)
    this.finish(this.#isDone)
    this.say(...this.#said)
  }

  say(...said: Said): void {
    const [message, values = {}, isError = false] = said
    const { status } = this.view
    this.#said = said
    const text = fill(this.settings.messages[message] ?? "", values)
    if (status.textContent !== text) status.textContent = text
    status.classList.toggle("error", isError)
    // Where it is needless to see, styles hide it.
    status.dataset.said = message
  }

  /** Reports the selection to the platform, if there is a session. */
  record(choice: Choice): void {
    this.#ways?.user.session?.record(choice).catch((error: unknown) => this.listener.onProblem(toProblem(error)))
  }

  namesOf(code: Code): Names | undefined {
    return this.#ways?.search.namesOf(code)
  }

  /** The names of state and LGA, requested for 3 s at most if they are not known. The place of the selection is shown with them. */
  async findNames({ code, label }: Pick<Choice, "code" | "label">): Promise<Names> {
    await this.#touched()
    const place = await this.#ways?.search.findPlace(this.gateway, code, AbortSignal.timeout(names_ms))
    if (!label && place && readCode(this.view.input.value, this.depth) === code) {
      this.place = place
      this.finish(this.#isDone)
      if (this.#said[0] === "chosen") this.#sayChosen(code)
    }
    return this.namesOf(code) ?? {}
  }

  get canIdentify(): boolean {
    return this.settings.publishableKey !== "" && !this.#isUsedUp
  }

  get gateway(): string {
    return urlOf(this.settings.gateway)
  }

  get depth(): number {
    return depthUntil(this.settings.until)
  }

  get #list(): ListBox | undefined {
    return this.#ways?.list
  }

  #listen(): void {
    const { change, field, input, list, locate, root, saved, unlisted } = this.view
    // A page that locks scrolling, or makes clicks of touches, does not know what is in the picker.
    for (const type of ["touchstart", "touchmove", "touchend", "wheel"]) {
      root.addEventListener(type, (event) => event.stopPropagation(), { passive: true })
    }
    // Loaded before it is needed: browsers cache a failed import, even if the connection comes back.
    root.addEventListener("focusin", () => void this.#touched().then(() => this.#ways?.prepare()))
    change.addEventListener("click", () => {
      this.finish(false)
      this.say("hint")
      input.focus()
      input.select()
    })
    saved.addEventListener("click", () => void this.#with((ways) => ways.openSaved(), "unavailable"))
    unlisted.addEventListener("click", () => void this.#with((ways) => ways.openUnlisted()))
    locate.addEventListener("click", () => void this.#with((ways) => ways.locate()))
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("click", () => this.#open())
    list.addEventListener("click", ({ target }) => this.#ways?.choose(this.#list?.choiceAt(target)))
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || !this.#onKey(event)) return
      event.preventDefault()
      event.stopPropagation()
    })
    field.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget === input || list.contains(relatedTarget as Node | null)) return
      this.#list?.close()
      this.commit()
    })
  }

  /** Whether the list handled the key. Tab leaves the list without choosing. */
  #onKey({ key, target }: KeyboardEvent): boolean {
    const list = this.#list
    if (list?.isOpen) {
      return list.onKey(
        key,
        target,
        (choice) => (choice ? this.#ways?.choose(choice) : this.commit()),
        () => this.#abort()
      )
    }
    const { input } = this.view
    if (key === "Enter" && target === input && !this.commit(true)) {
      void this.#touched().then(() => this.#ways?.submit(this.settings.form))
    }
    if (!/^Arrow(Up|Down)$/.test(key)) return false
    this.#open()
    return true
  }

  /** Loads what every use needs; without it suggestions are plain. */
  #touched(): Promise<unknown> {
    this.#touch ??= Promise.all([
      this.listener.onTouch(),
      loadUse().then(
        ({ rowStyles, startUse }) => {
          adoptStyles(this.view.root, rowStyles)
          this.#ways = startUse(this, tools)
        },
        () => {
          this.#touch = undefined
        }
      )
    ])
    return this.#touch
  }

  /** Does what is loaded at the first touch; that it cannot be loaded is shown as the failure of a request. */
  async #with(use: (ways: Ways) => unknown, otherwise: Otherwise = "busy"): Promise<void> {
    const load = async () => {
      await this.#touched()
      if (this.#ways === undefined) throw new Error("offline")
      return this.#ways
    }
    const ways = this.#ways ?? (await this.ask(load, otherwise))
    if (ways) use(ways)
  }

  #typed(): void {
    if (this.form) this.stop()
    this.isTaken = false
    this.finish(false)
    this.takeText(true)
    this.#abort()
    const { input, root } = this.view
    // The browser or a password manager fills the field in: nobody looks for suggestions.
    if (root.activeElement !== input) this.commit()
    else if (input.value.trim() === "") this.#suggest()
    else this.#timer = setTimeout(() => this.#suggest(), pause_ms)
  }

  #open(): void {
    if (this.settings.readOnly) return
    if (!this.#isDone && !this.#list?.isOpen && !this.#list?.reopen()) this.#suggest()
  }

  #suggest(): void {
    void this.#with((ways) => ways.suggest(this.view.input.value))
  }

  report(error: unknown): void {
    const problem = toProblem(error)
    if (problem.code === this.#problem) return
    this.#problem = problem.code
    this.listener.onProblem(problem)
  }

  setUnavailable(isUnavailable: boolean): void {
    if (!isUnavailable) this.#problem = ""
    if (this.isUnavailable === isUnavailable) return
    this.isUnavailable = isUnavailable
    if (!this.isTaken) this.takeText(this.isTyped)
  }

  commit(isEnter = false): boolean {
    const code = readCode(this.view.input.value, this.depth)
    if (code === undefined) this.listener.onNone()
    else if (this.isTyped) {
      this.deliver({ code, label: "", source: "search" })
      return true
    } else if (isEnter && !this.#isDone) {
      this.finish(true)
      return true
    }
    return false
  }

  deliver(choice: Choice): void {
    this.setText(spaced(choice.code))
    const isUnknown = this.#said[0] === "unknown" && !choice.label && !choice.typed
    this.stop()
    this.isTaken = false
    this.place = choice.label || this.#ways?.search.placeOf(choice.code) || ""
    if (!isUnknown) this.#sayChosen(choice.code)
    this.finish(true)
    this.listener.onPick(choice)
  }

  #sayChosen(code: string): void {
    this.say("chosen", { code: [this.place, spaced(code)].filter(Boolean).join(", ") })
  }

  finish(isDone: boolean): void {
    const { actions, change, done, field, place, root, unlisted } = this.view
    this.#isDone = isDone
    if (isDone) void this.#touched()
    const { readOnly, status } = this.settings
    unlisted.hidden = (isDone && status === "unlisted") || root.host.matches("[required=unit]")
    actions.hidden = (isDone && !this.isTaken) || readOnly || this.form !== undefined
    change.hidden = readOnly
    done.hidden = !isDone
    place.textContent = this.place || this.settings.messages.picked
    // Less than a postcode, or one that is not known, is taken without a tick.
    field.classList.toggle("done", isDone && !this.isTaken)
    done.classList.toggle("unknown", this.isTaken || this.#said[0] === "unknown")
  }

  async ask<A>(
    question: (signal: AbortSignal) => Promise<A>,
    otherwise: Otherwise = "busy",
    signal = this.asking.next()
  ): Promise<A | undefined> {
    const { field, input } = this.view
    clearTimeout(this.#timer)
    field.classList.add("busy")
    try {
      const [answer] = await Promise.all([question(signal), this.#touched()])
      return signal.aborted ? undefined : answer
    } catch (error) {
      if (signal.aborted) return undefined
      const problem = toProblem(error)
      await this.#touched()
      if (signal.aborted) return undefined
      const code = readCode(input.value, this.depth)
      this.#list?.show([])
      // No credits, or the key's daily limit: other limits end within a minute.
      this.#isUsedUp ||= otherwise === "unavailable" && (problem.status === 402 || problem.retryAfter_s > 60)
      if (code) this.#sayChosen(code)
      else this.say(problem.status === 0 ? "offline" : otherwise)
      if (otherwise === "unavailable") this.listener.onProblem(problem)
      else {
        this.report(problem)
        this.setUnavailable(true)
      }
      return undefined
    } finally {
      if (!signal.aborted) field.classList.remove("busy")
    }
  }

  #abort(): void {
    clearTimeout(this.#timer)
    this.asking.abort()
    this.view.field.classList.remove("busy")
  }

  setText(text: string): void {
    this.view.input.value = text
    this.takeText(false)
  }

  takeText(isTyped: boolean): void {
    this.isTyped = isTyped
    this.listener.onText(this.view.input.value, isTyped)
  }
}

/** Shared with what is loaded later, which imports nothing of the entry. */
const tools = { adoptStyles, depthOf, fill, loadAgain, make, Problem, readCode, slotsOf, spaced, svg, urlOf }

/** A selection is sent without names after this time. */
const names_ms = 3_000

const loadUse = () => loadAgain(() => import("./Use.ts"))

/** While offline, a lazy part of the picker may have failed to load. */
const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, navigator.onLine ? "unexpected_answer" : "offline", String(error))
