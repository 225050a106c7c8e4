/** The dialogue of the picker: search, locate or choose a bookmark, and confirm. */

import { ListBox } from "./ListBox.ts"
import { fill, type Messages } from "./languages/Messages.ts"
import type { SavedForm } from "./Saved.ts"
import type { Addresses } from "./session/Addresses.ts"
import { Latest } from "./session/Latest.ts"
import { Problem, request, urlOf } from "./session/Request.ts"
import type { Choice, Search, Suggestion } from "./session/Search.ts"
import type { Account, Session } from "./session/Session.ts"
import { adoptStyles } from "./styles.ts"
import { depthOf, depthUntil, readCode, slotsOf, spaced } from "./TypedCode.ts"
import { make, type View } from "./View.ts"

/** The page's settings of the picker. */
export interface FlowSettings extends Account {
  readonly until: string
  /** Whether saved postcodes are offered. */
  readonly saved: boolean
  readonly messages: Messages
}

/** Callbacks. */
export interface Listener {
  /** The picker is used for the first time. */
  readonly onTouch: () => Promise<void>
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
  /** The open form for an identifier, or the map. */
  #form: SavedForm | undefined
  /** Whether the key cannot pay for sessions, today or until credits are added. */
  #isUsedUp = false
  /** Whether the text was typed since the last selection. */
  #isTyped = false
  /** Whether the selection is shown, in place of the ways to one. */
  #isDone = false
  #place = ""
  #said: Said = ["hint"]
  #timer: ReturnType<typeof setTimeout> | undefined
  /** What is loaded at the first touch. */
  #touch: Promise<unknown> | undefined

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
    if (!(this.#said[2] || this.#said[0] === "unavailable")) this.#said = ["hint"]
    const code = readCode(text, this.#depth)
    this.#place = code ? this.#search.placeOf(code) : ""
    this.#finish(code !== undefined)
    this.#setText(text)
  }

  /** Removes the session and its bookmarks. */
  forget(): void {
    this.#session = this.#addresses = this.#bookmarks = undefined
    this.#isUsedUp = false
    this.#said = ["hint"]
  }

  /** Aborts all requests and removes a typed identifier. */
  stop(): void {
    this.#abort()
    this.#list.show([])
    this.#form?.close()
    this.#form = undefined
    this.#finish(this.#isDone)
  }

  /** Updates all texts to the current language. */
  render(label: string, isLabelledOutside: boolean): void {
    const { change, input, label: labelNode, list, locate, saved } = this.#view
    const { messages } = this.#settings
    labelNode.textContent = label
    labelNode.hidden = isLabelledOutside
    input.ariaLabel = label
    list.ariaLabel = messages.suggestions ?? null
    if (locate.lastChild) locate.lastChild.nodeValue = messages.locate
    saved.textContent = messages.saved
    saved.hidden = !(this.#canIdentify && this.#settings.saved) && !this.#bookmarks
    change.textContent = messages.change
    this.#form?.render(messages)
    this.#finish(this.#isDone)
    this.say(...this.#said)
  }

  say(...said: Said): void {
    const [message, values = {}, isError = false] = said
    const { status } = this.#view
    this.#said = said
    const text = fill(this.#settings.messages[message] ?? "", values)
    if (status.textContent !== text) status.textContent = text
    status.classList.toggle("error", isError)
    // Where it is needless to see, styles hide it.
    status.dataset.said = message
  }

  /** Reports the selection to the platform, if there is a session. */
  record(choice: Choice): void {
    this.#session?.record(choice).catch((error: unknown) => this.#listener.onProblem(toProblem(error)))
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

  get #words() {
    return { fill, messages: this.#settings.messages }
  }

  #listen(): void {
    const { change, field, input, list, locate, root, saved } = this.#view
    this.#list.touched = matchMedia("(pointer: coarse)").matches
    // Loaded before it is needed: browsers cache a failed import, even if the connection comes back.
    root.addEventListener("focusin", () => {
      void this.#touched()
      if (saved.hidden) return
      for (const load of [loadSaved, loadSession]) load().catch(() => {})
    })
    change.addEventListener("click", () => {
      this.#finish(false)
      this.say("hint")
      input.focus()
      input.select()
    })
    saved.addEventListener("click", () => void this.#openSaved())
    locate.addEventListener("click", () => void this.#locate())
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("click", () => this.#open())
    list.addEventListener("mousedown", (event) => {
      if (!this.#list.touched) event.preventDefault()
    })
    list.addEventListener("click", ({ target }) => this.#choose(this.#list.choiceAt(target)))
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || !this.#onKey(event)) return
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
      if (key === "Enter") this.#commit(true)
      return false
    }
    if (key === "Escape") {
      this.#abort()
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

  /** Loads what every use needs; without it suggestions are plain. */
  #touched(): Promise<unknown> {
    this.#touch ??= Promise.all([
      this.#listener.onTouch(),
      loadRows().then(
        ({ rowMaker, rowStyles }) => {
          adoptStyles(this.#view.root, rowStyles)
          this.#list.makeRow = rowMaker({
            fill,
            make,
            spaced,
            opens: (code) => depthOf(code) < this.#depth,
            messages: () => this.#settings.messages
          })
        },
        () => {}
      )
    ])
    return this.#touch
  }

  #typed(): void {
    const text = this.#view.input.value
    if (this.#form) this.stop()
    this.#finish(false)
    this.#takeText(true)
    this.#abort()
    if (text.trim() === "") this.#suggest(text)
    else this.#timer = setTimeout(() => this.#suggest(text), pause_ms)
  }

  #open(): void {
    if (!this.#isDone && !this.#list.isOpen && !this.#list.reopen()) this.#suggest(this.#view.input.value)
  }

  #suggest(text: string): void {
    if (text.trim() === "" && this.#bookmarks?.length) this.#list.show(this.#bookmarks)
    else void this.#complete(text)
  }

  /** @param heading a line above the suggestions */
  async #complete(text: string, heading = ""): Promise<void> {
    const signal = this.#asking.next()
    const completed = await this.#ask(() => this.#search.complete(this.#gateway, text, signal), "busy", signal)
    if (completed === undefined) return
    const [found, meant, places] = completed
    const choices: ReadonlyArray<Choice> = meant
      ? [
          {
            code: meant,
            label: await this.#search.findPlace(this.#gateway, meant, signal),
            typed: text,
            source: "search"
          }
        ]
      : await this.#describe(found, places)
    if (signal.aborted) return
    // After a choice, all parts begin with its code, and nothing was typed.
    this.#offer(choices, heading ? "" : text, heading)
    const isCode = meant || slotsOf(text)
    const addresses = isCode || !this.#canIdentify ? [] : await this.#findAddress(text, places, signal)
    if (signal.aborted) return
    if (addresses.length > 0) {
      const isLeft = !this.#view.root.activeElement
      this.#offer([...addresses, ...choices], text)
      if (isLeft) this.#list.close()
    } else if (found.length === 0) this.say(meant || startsAsCode.test(text) ? "unknown" : "none")
  }

  #offer(choices: ReadonlyArray<Choice>, text: string, heading = ""): void {
    this.#list.show(choices, text, heading)
    if (choices.length > 0) this.say("results", { n: choices.length })
  }

  /** Adds to unnamed parts what the gateway knows of them. */
  async #describe(
    choices: ReadonlyArray<Choice>,
    suggestions: ReadonlyArray<Suggestion>
  ): Promise<ReadonlyArray<Choice>> {
    if (!suggestions.some(({ code, label, units }) => units && code === label)) return choices
    const loaded = await loadLocation().catch(() => undefined)
    return loaded?.described(choices, suggestions, this.#words) ?? choices
  }

  /** Choices for an address. The user is shown no failure. */
  async #findAddress(
    text: string,
    places: ReadonlyArray<Suggestion>,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Choice>> {
    try {
      return await (await this.#loadAddresses()).find(text, places, this.#session, signal)
    } catch (error) {
      if (!signal.aborted) this.#listener.onProblem(toProblem(error))
      return []
    }
  }

  async #loadAddresses(): Promise<Addresses> {
    const { Addresses } = await import("./session/Addresses.ts")
    this.#addresses ??= new Addresses(() => this.#openSession(), this.#settings)
    return this.#addresses
  }

  #choose(choice: Choice | undefined): void {
    if (choice === undefined) return
    const { label } = choice
    const code = spaced(choice.code)
    if (depthOf(choice.code) >= this.#depth) {
      this.#setText(code)
      this.#deliver(choice)
      if (this.#list.touched) this.#view.status.focus()
      else this.#view.input.focus()
      return
    }
    // After a search by name the field shows the name. A user who typed a code can continue typing it.
    const isNamed = label !== "" && !slotsOf(this.#view.input.value)
    const place = isNamed ? label : this.#search.placeOf(choice.code)
    this.#setText(isNamed ? label : `${code} `)
    const where = depthOf(choice.code) > 2 && place ? `${place}, ${code}` : place || code
    const { next, street } = this.#settings.messages
    const values = { place: where, street: this.#canIdentify ? street : "" }
    this.say("next", values)
    void this.#complete(code, fill(next, values))
  }

  /** Accepts a text that is a postcode, or clears the selection. Enter also confirms what was selected before. */
  #commit(isEnter = false): void {
    const code = readCode(this.#view.input.value, this.#depth)
    if (code === undefined) this.#listener.onNone()
    else if (this.#isTyped) {
      this.#setText(spaced(code))
      this.#deliver({ code, label: "", source: "search" })
    } else if (isEnter) this.#finish(true)
  }

  #deliver(choice: Choice): void {
    const isUnknown = this.#said[0] === "unknown" && !choice.label && !choice.typed
    this.stop()
    this.#showPlace(choice)
    if (!isUnknown) this.#sayChosen(choice.code)
    this.#finish(true)
    this.#listener.onPick(choice)
  }

  #sayChosen(code: string): void {
    this.say("chosen", { code: [this.#place, spaced(code)].filter(Boolean).join(", ") })
  }

  /** Shows the place of a selection, which is requested if it is not known. */
  #showPlace({ code, label }: Choice): void {
    this.#place = label || this.#search.placeOf(code)
    if (this.#place) return
    const signal = this.#asking.next()
    void this.#search.findPlace(this.#gateway, code, signal).then((place) => {
      if (signal.aborted || !place) return
      this.#place = place
      this.#finish(this.#isDone)
      if (this.#said[0] === "chosen") this.#sayChosen(code)
    })
  }

  /** Shows the selection, or the ways to one. */
  #finish(isDone: boolean): void {
    const { actions, done, field, place } = this.#view
    this.#isDone = isDone
    if (isDone) void this.#touched()
    actions.hidden = isDone || this.#form !== undefined
    done.hidden = !isDone
    place.textContent = this.#place || this.#settings.messages.picked
    field.classList.toggle("done", isDone)
    done.classList.toggle("unknown", this.#said[0] === "unknown")
  }

  async #openSaved(): Promise<void> {
    this.stop()
    const session = this.#session
    if (session) {
      const found = this.#bookmarks ?? (await this.#ask((signal) => session.bookmarks(signal), "unavailable"))
      return this.#showBookmarks(found)
    }
    const saved = await this.#ask(loadSaved, "unavailable")
    if (saved === undefined) return
    adoptStyles(this.#view.root, saved.savedStyles)
    this.#form = saved.openSaved(this.#view.panel, make, this.#settings.messages, {
      onCancel: () => this.#leaveForm(),
      onIdentifier: (text) => void this.#identify(text),
      onOther: (text) => {
        if (!readCode(text, 5)) return false
        this.#leaveForm()
        this.#view.input.value = text
        this.#takeText(true)
        this.#commit()
        return true
      }
    })
    this.#finish(false)
    this.say("hint")
  }

  #leaveForm(): void {
    this.stop()
    this.#view.input.focus()
  }

  #showBookmarks(found: ReadonlyArray<Choice> | undefined): void {
    if (found === undefined) return
    this.#bookmarks = found
    this.#view.input.focus()
    this.#list.show(found)
    if (found.length === 0) this.say("noBookmarks")
  }

  async #identify(identifier: string): Promise<void> {
    const signal = this.#asking.next()
    const startSession = async () => {
      this.#session = await this.#openSession(identifier, signal)
      return this.#session.bookmarks(signal)
    }
    const found = await this.#ask(startSession, "unavailable", signal)
    // The user may have gone back or restarted meanwhile.
    if (signal.aborted) return
    this.#leaveForm()
    this.#showBookmarks(found)
    this.#listener.onText(this.#view.input.value)
  }

  /** Costs a credit. */
  async #openSession(identifier?: string, signal?: AbortSignal): Promise<Session> {
    const { Session } = await loadSession()
    const session = new Session({ ask: request, readCode, urlOf }, this.#settings, identifier)
    await session.open(signal)
    return session
  }

  async #locate(): Promise<void> {
    this.stop()
    const located = await this.#ask(async (signal) => {
      this.say("locating")
      const [{ locate }] = await Promise.all([loadLocation(), this.#touched()])
      return locate(this.#search, this.#gateway, this.#words, signal, this.#view.panel, {
        ...this.#listener,
        onCancel: () => this.#leaveForm(),
        addresses: () => this.#loadAddresses(),
        list: this.#list,
        session: this.#session,
        onPick: (choice) => this.#choose(choice)
      })
    }, "busy")
    if (!located) return
    this.#form = located.form
    this.#finish(false)
    this.say(located.message, located.values)
  }

  /** The result, unless a newer request replaced it or it failed; failures are shown. */
  async #ask<A>(
    question: (signal: AbortSignal) => Promise<A>,
    otherwise: "unavailable" | "busy",
    signal = this.#asking.next()
  ): Promise<A | undefined> {
    const { field, input } = this.#view
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
      const code = readCode(input.value, this.#depth)
      this.#list.show([])
      // No credits, or the key's daily limit: other limits end within a minute.
      this.#isUsedUp ||= otherwise === "unavailable" && (problem.status === 402 || problem.retryAfter_s > 60)
      if (code) this.#sayChosen(code)
      else this.say(problem.status === 0 ? "offline" : otherwise)
      this.#listener.onProblem(problem)
      return undefined
    } finally {
      if (!signal.aborted) field.classList.remove("busy")
    }
  }

  #abort(): void {
    clearTimeout(this.#timer)
    this.#asking.abort()
    this.#view.field.classList.remove("busy")
  }

  #setText(text: string): void {
    this.#view.input.value = text
    this.#takeText(false)
  }

  #takeText(isTyped: boolean): void {
    this.#isTyped = isTyped
    this.#listener.onText(this.#view.input.value)
  }
}

/** A state's letters and a digit: the text is meant as a postcode. */
const startsAsCode = /^\s*[a-z]{2}[\s-]*\d/i

const loadLocation = () => import("./Location.ts")
const loadRows = () => import("./Rows.ts")
const loadSaved = () => import("./Saved.ts")
const loadSession = () => import("./session/Session.ts")

/** While offline, a lazy part of the picker may have failed to load. */
const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, navigator.onLine ? "unexpected_answer" : "offline", String(error))
