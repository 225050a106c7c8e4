/** The dialogue of the picker: identify, choose a bookmark, search, confirm. */

import { ListBox } from "./ListBox.ts"
import { fill, type Messages } from "./languages/Messages.ts"
import type { Addresses } from "./session/Addresses.ts"
import { Latest } from "./session/Latest.ts"
import { Problem, request, urlOf } from "./session/Request.ts"
import type { Choice, Search, Suggestion } from "./session/Search.ts"
import type { Account, Session } from "./session/Session.ts"
import { depthOf, depthUntil, readCode, slotsOf, spaced } from "./TypedCode.ts"
import type { View } from "./View.ts"

/** The page's settings of the picker. */
export interface FlowSettings extends Account {
  readonly until: string
  readonly messages: Messages
}

/** Callbacks. */
export interface Listener {
  /** The text has changed. */
  readonly onText: (text: string) => void
  readonly onPick: (choice: Choice) => void
  /** The text is final, and is not a postcode. */
  readonly onNone: () => void
  readonly onProblem: (problem: Problem) => void
}

type Said = readonly [message: keyof Messages, values?: Readonly<Record<string, string | number>>, isError?: boolean]

/** The pause in typing after which a search starts. */
const pause_ms = 120

/** Runs the dialogue with one end user. */
export class Flow {
  readonly #view: View
  readonly #settings: FlowSettings
  readonly #search: Search
  readonly #listener: Listener
  readonly #list: ListBox
  readonly #asking = new Latest()
  #session: Session | undefined
  #addresses: Addresses | undefined
  /** Undefined until they are loaded. */
  #bookmarks: ReadonlyArray<Choice> | undefined
  #identifying = true
  /** Whether the key cannot pay for sessions, today or until credits are added. */
  #isUsedUp = false
  /** Whether the text was typed since the last selection. */
  #isTyped = false
  #said: Said = ["hint"]
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: View, settings: FlowSettings, search: Search, listener: Listener) {
    this.#view = view
    this.#settings = settings
    this.#search = search
    this.#listener = listener
    this.#list = new ListBox(view.input, view.list)
    this.#listen()
  }

  /** Restarts. An identified end user keeps the session. */
  start(text: string): void {
    this.stop()
    this.#identifying = this.#canIdentify && this.#session === undefined && text === ""
    this.#setText(text)
    this.#step()
  }

  /** Removes the session and its bookmarks. */
  forget(): void {
    this.#session = this.#addresses = this.#bookmarks = undefined
    this.#isUsedUp = false
  }

  /** Aborts all requests and clears a typed identifier. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#asking.abort()
    this.#list.show([])
    const { identifier, proceed } = this.#view
    identifier.value = ""
    identifier.ariaInvalid = proceed.ariaBusy = null
  }

  /** Updates all texts to the current language. */
  render(label: string, isLabelledOutside: boolean): void {
    const { aside, identifier, input, label: labelNode, list, locate, proceed } = this.#view
    const { messages } = this.#settings
    labelNode.textContent = this.#identifying ? messages.identify : isLabelledOutside ? "" : label
    labelNode.htmlFor = this.#identifying ? identifier.id : input.id
    identifier.ariaLabel = messages.identify
    input.ariaLabel = label
    list.ariaLabel = messages.suggestions
    proceed.textContent = messages.continue
    locate.ariaLabel = locate.title = messages.locate
    aside.textContent = this.#identifying ? messages.skip : messages.saved
    this.say(...this.#said)
  }

  /** The current input element. */
  get anchor(): HTMLInputElement {
    return this.#identifying ? this.#view.identifier : this.#view.input
  }

  say(...said: Said): void {
    const [message, values = {}, isError = false] = said
    const { status } = this.#view
    this.#said = said
    const text = fill(this.#settings.messages[message], values)
    if (status.textContent !== text) status.textContent = text
    status.classList.toggle("error", isError)
  }

  /** Reports the selection to the platform, if there is a session. */
  record({ code }: Choice): void {
    this.#session?.record(code).catch((error: unknown) => this.#listener.onProblem(toProblem(error)))
  }

  get #canIdentify(): boolean {
    return this.#settings.publishableKey !== "" && !this.#isUsedUp
  }

  get #gateway(): string {
    return urlOf(this.#settings.gateway)
  }

  /** The number of segments that a selection needs. */
  get #depth(): number {
    return depthUntil(this.#settings.until)
  }

  #listen(): void {
    const { aside, field, identifier, input, list, locate, proceed, root } = this.#view
    this.#list.touched = matchMedia("(pointer: coarse)").matches
    identifier.addEventListener("input", (event) => {
      // The identifier is not part of the form's value.
      event.stopPropagation()
      identifier.ariaInvalid = null
    })
    // Loaded before it is needed: browsers cache a failed import, even if the connection comes back.
    identifier.addEventListener("focus", () => loadSession().catch(() => {}))
    identifier.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) void this.#identify()
    })
    proceed.addEventListener("click", () => void this.#identify())
    aside.addEventListener("click", () => void this.#turnAside())
    locate.addEventListener("click", () => void this.#locate())
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("click", () => this.#open())
    list.addEventListener("mousedown", (event) => {
      if (!this.#list.touched) event.preventDefault()
    })
    list.addEventListener("click", ({ target }) => this.#choose(this.#list.choiceAt(target)))
    field.addEventListener("keydown", (event) => {
      if (event.target === identifier || event.isComposing || !this.#onKey(event)) return
      event.preventDefault()
      event.stopPropagation()
    })
    root.addEventListener("pointerdown", (event) => {
      this.#list.touched = (event as PointerEvent).pointerType !== "mouse"
    })
    field.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget === input || list.contains(relatedTarget as Node | null)) return
      this.#list.close()
      this.#commit()
    })
  }

  /** Whether the list handled the key. Tab leaves the list without choosing. */
  #onKey({ key, target }: KeyboardEvent): boolean {
    const list = this.#list
    const onOption = list.choiceAt(target)
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (list.isOpen) list.move(key === "ArrowDown" ? 1 : -1)
      else this.#open()
      return true
    }
    if (!list.isOpen) {
      if (key === "Enter") this.#commit()
      return false
    }
    if (key === "Escape") {
      this.#asking.abort()
      list.close()
      this.#view.input.focus()
    } else if (key === "Enter" || (key === " " && onOption)) {
      if (list.active ?? onOption) this.#choose(list.active ?? onOption)
      else this.#commit()
    } else if ((key === "Home" || key === "End") && list.active) {
      list.activate(key === "Home" ? 0 : -1)
    } else return false
    return true
  }

  #typed(): void {
    const text = this.#view.input.value
    this.#takeText(true)
    clearTimeout(this.#timer)
    this.#asking.abort()
    if (text.trim() === "") this.#suggest(text)
    else this.#timer = setTimeout(() => this.#suggest(text), pause_ms)
  }

  #open(): void {
    if (!this.#list.isOpen && !this.#list.reopen()) this.#suggest(this.#view.input.value)
  }

  #suggest(text: string): void {
    if (text.trim() === "" && this.#bookmarks?.length) this.#list.show(this.#bookmarks)
    else void this.#complete(text)
  }

  async #complete(text: string): Promise<void> {
    const signal = this.#asking.next()
    const completed = await this.#ask(() => this.#search.complete(this.#gateway, text, signal), "busy", signal)
    if (completed === undefined) return
    const [choices, meant, places] = completed
    const label = this.#settings.messages.meant
    this.#offer(meant ? [{ code: meant, label, source: "search" }] : choices)
    const isCode = meant || slotsOf(text)
    const found = isCode || !this.#canIdentify ? [] : await this.#findAddress(text, places, signal)
    if (signal.aborted) return
    if (found.length > 0) {
      const isLeft = !this.#view.root.activeElement
      this.#offer([...found, ...choices])
      if (isLeft) this.#list.close()
    } else if (choices.length === 0) this.say(meant || readCode(text, 5) ? "unknown" : "none", {}, true)
  }

  #offer(choices: ReadonlyArray<Choice>): void {
    this.#list.show(choices)
    if (choices.length > 0) this.say("results", { n: choices.length })
  }

  /** Choices for an address. The user is shown no failure. */
  async #findAddress(
    text: string,
    places: ReadonlyArray<Suggestion>,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Choice>> {
    try {
      const { Addresses } = await import("./session/Addresses.ts")
      this.#addresses ??= new Addresses(() => this.#openSession(), this.#settings)
      return await this.#addresses.find(text, places, this.#session, signal)
    } catch (error) {
      if (!signal.aborted) this.#listener.onProblem(toProblem(error))
      return []
    }
  }

  #choose(choice: Choice | undefined): void {
    if (choice === undefined) return
    const isDeepEnough = depthOf(choice.code) >= this.#depth
    const code = spaced(choice.code)
    this.#setText(isDeepEnough ? code : `${code} `)
    if (isDeepEnough) {
      this.#deliver(choice)
      if (this.#list.touched) this.#view.status.focus()
      else this.#view.input.focus()
      return
    }
    this.say("next", { code })
    void this.#complete(code)
  }

  /** Accepts a text that is a postcode, or clears the selection. */
  #commit(): void {
    const code = readCode(this.#view.input.value, this.#depth)
    if (code === undefined) this.#listener.onNone()
    else if (this.#isTyped) {
      this.#setText(spaced(code))
      this.#deliver({ code, label: "", source: "search" })
    }
  }

  #deliver(choice: Choice): void {
    this.stop()
    this.say("chosen", { code: spaced(choice.code) })
    this.#listener.onPick(choice)
  }

  async #turnAside(): Promise<void> {
    this.stop()
    const session = this.#session
    if (this.#identifying || !session) this.#goTo(!this.#identifying)
    else this.#showBookmarks(this.#bookmarks ?? (await this.#ask((signal) => session.bookmarks(signal), "away")))
  }

  #showBookmarks(found: ReadonlyArray<Choice> | undefined): void {
    if (found === undefined) return
    this.#bookmarks = found
    this.#view.input.focus()
    this.#list.show(found)
    if (found.length === 0) this.say("noBookmarks")
  }

  async #identify(): Promise<void> {
    const { identifier, proceed } = this.#view
    const text = identifier.value.trim()
    if (readCode(text, 5)) return this.#takeForPostcode(text)
    if (!isIdentifier(text)) {
      identifier.ariaInvalid = "true"
      this.say("badIdentifier", {}, true)
      return
    }
    if (proceed.ariaBusy) return
    proceed.ariaBusy = "true"
    const signal = this.#asking.next()
    const startSession = async () => {
      this.#session = await this.#openSession(text, signal)
      return this.#session.bookmarks(signal)
    }
    const found = await this.#ask(startSession, "away", signal)
    // The user may have skipped or restarted meanwhile.
    if (signal.aborted) return
    this.stop()
    this.#goTo(false)
    this.#showBookmarks(found)
  }

  /** Costs a credit. */
  async #openSession(identifier?: string, signal?: AbortSignal): Promise<Session> {
    const { Session } = await loadSession()
    const session = new Session({ ask: request, readCode, urlOf }, this.#settings, identifier)
    await session.open(signal)
    return session
  }

  /** Accepts a postcode in the identifier's field. */
  #takeForPostcode(text: string): void {
    this.#goTo(false)
    this.#view.input.value = text
    this.#takeText(true)
    this.#commit()
  }

  async #locate(): Promise<void> {
    this.#list.close()
    this.say("locating")
    const located = await this.#ask(async (signal) => {
      const { locate } = await import("./Location.ts")
      return locate(this.#search, this.#gateway, signal)
    }, "busy")
    if (located === undefined) return
    const { code, message, values } = located
    this.say(message, { ...values, code: spaced(code ?? "") }, !code)
    if (code === undefined) return
    this.#list.show([{ code, label: fill(this.#settings.messages.distance, values), source: "search" }])
    if (!this.#list.touched) this.#view.input.focus()
    this.#list.activate(0)
  }

  /** The result, unless a newer request replaced it or it failed; failures are shown. */
  async #ask<A>(
    question: (signal: AbortSignal) => Promise<A>,
    otherwise: "away" | "busy",
    signal = this.#asking.next()
  ): Promise<A | undefined> {
    clearTimeout(this.#timer)
    try {
      const answer = await question(signal)
      return signal.aborted ? undefined : answer
    } catch (error) {
      if (signal.aborted) return undefined
      const problem = toProblem(error)
      const code = readCode(this.#view.input.value, this.#depth)
      this.#list.show([])
      // No credits, or the key's daily limit: other limits end within a minute.
      const isOver = otherwise === "away" && (problem.status === 402 || problem.retryAfter_s > 60)
      this.#isUsedUp ||= isOver
      if (code) this.say("chosen", { code: spaced(code) })
      else this.say(problem.status === 0 && otherwise === "busy" ? "offline" : otherwise, {}, !isOver)
      this.#listener.onProblem(problem)
      return undefined
    }
  }

  #goTo(identifying: boolean): void {
    this.#identifying = identifying
    this.#step()
    this.anchor.focus()
  }

  /** Shows the elements of the current step and hides the rest. */
  #step(): void {
    const { aside, identifier, input, locate, proceed, slotRow } = this.#view
    const identifying = this.#identifying
    identifier.hidden = proceed.hidden = !identifying
    input.hidden = locate.hidden = slotRow.hidden = identifying
    aside.hidden = !this.#canIdentify && !this.#bookmarks
    if (identifying || !(this.#said[2] || this.#said[0] === "away"))
      this.#said = [identifying ? "identifyHint" : "hint"]
    this.#listener.onText(input.value)
  }

  #setText(text: string): void {
    this.#view.input.value = text
    this.#takeText(false)
  }

  #takeText(isTyped: boolean): void {
    const { input, slots } = this.#view
    const segments = slotsOf(input.value)
    this.#isTyped = isTyped
    for (const [index, slot] of slots.entries()) slot.textContent = segments?.[index] ?? ""
    this.#listener.onText(input.value)
  }
}

const loadSession = () => import("./session/Session.ts")

/** While offline, a lazy part of the picker may have failed to load. */
const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, navigator.onLine ? "unexpected_answer" : "offline", String(error))

/** Whether a text looks like an 11-digit NIN or an email address; the service validates it. */
const isIdentifier = (text: string): boolean => /^(\d{11}|[^\s@]+@[^\s@]+\.[^\s@]+)$/.test(text)
