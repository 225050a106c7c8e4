/** The dialogue of the picker: search, locate or choose a bookmark, and confirm. */

import type { ListBox } from "./ListBox.ts"
import { fill, type Messages } from "./languages/Messages.ts"
import type { EndUser, SavedForm } from "./Saved.ts"
import type { Addresses } from "./session/Addresses.ts"
import { Latest } from "./session/Latest.ts"
import { Problem, urlOf } from "./session/Request.ts"
import type { Choice, Names, Search, Suggestion } from "./session/Search.ts"
import type { Account, Session } from "./session/Session.ts"
import { adoptStyles } from "./styles.ts"
import { type Code, depthOf, depthUntil, readCode, slotsOf, spaced } from "./TypedCode.ts"
import { make, type View } from "./View.ts"

/** The page's settings of the picker. */
export interface FlowSettings extends Account {
  readonly form: HTMLFormElement | null
  readonly until: string
  /** Whether saved postcodes are offered. */
  readonly saved: boolean
  readonly readOnly: boolean
  readonly messages: Messages
}

/** Callbacks. */
export interface Listener {
  /** The picker is used for the first time. */
  readonly onTouch: () => Promise<void>
  /** The text has changed. */
  readonly onText: (text: string, isTyped: boolean, given?: Choice) => void
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
  /** Undefined until it is loaded, at the first touch. */
  #search: Search | undefined
  #submit: ((form: HTMLFormElement | null) => void) | undefined
  readonly #listener: Listener
  /** Undefined until it is loaded, at the first touch. */
  #list: ListBox | undefined
  readonly #asking = new Latest()
  /** Whether the service does not find what was typed now. */
  isAway = false
  /** The last problem of a search that the page heard of. */
  #problem = ""
  /** The text of a user who typed an address, and then chose a place. */
  #address = ""
  /** Whether less than a postcode was taken. */
  #isTaken = false
  /** The identified end user. */
  #user: EndUser = {}
  #addresses: Addresses | undefined
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

  constructor(view: View, settings: FlowSettings, listener: Listener) {
    this.#view = view
    this.#settings = settings
    this.#listener = listener
    this.#listen()
  }

  /** Restarts. An identified end user keeps the session. */
  start(text: string): void {
    this.stop()
    this.#isTaken = false
    if (!(this.#said[2] || this.#said[0] === "unavailable")) this.#said = ["hint"]
    const code = readCode(text, this.#depth)
    this.#place = (code && this.#search?.placeOf(code)) || ""
    this.#finish(code !== undefined)
    this.#setText(text)
    if (code && !this.namesOf(code)) void this.findNames({ code, label: "" })
  }

  /**
   * Removes the session and its bookmarks.
   *
   * @param ofPage also the visit that the pickers of the page share
   */
  forget(ofPage = false): void {
    if (ofPage) this.#addresses?.forget()
    this.#user = {}
    this.#addresses = undefined
    this.#isUsedUp = false
    this.#setAway(false)
    this.#said = ["hint"]
  }

  /** Aborts all requests and removes a typed identifier. */
  stop(): void {
    this.#abort()
    this.#list?.show([])
    this.#form?.close()
    this.#form = undefined
    this.#finish(this.#isDone)
  }

  /** Updates all texts to the current language. */
  render(label: string, isLabelledOutside: boolean): void {
    const { change, input, label: labelNode, list, locate, root, saved, unlisted } = this.#view
    const { messages } = this.#settings
    labelNode.textContent = label
    labelNode.hidden = isLabelledOutside
    input.ariaLabel = label
    list.ariaLabel = messages.suggestions ?? null
    if (locate.lastChild) locate.lastChild.nodeValue = messages.locate
    saved.textContent = messages.saved
    unlisted.textContent = messages.unlisted
    unlisted.hidden = root.host.matches("[required=unit]")
    // The nodes of the page that describe it are needed before the first focus.
    if (root.host.matches("[aria-describedby]")) void this.#touched()
    saved.hidden = !(this.#canIdentify && this.#settings.saved) && !this.#user.bookmarks
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
    this.#user.session?.record(choice).catch((error: unknown) => this.#listener.onProblem(toProblem(error)))
  }

  /** The names of state and LGA, if they were received. */
  namesOf(code: Code): Names | undefined {
    return this.#search?.namesOf(code)
  }

  /** The same, requested for 3 s at most. The place of the selection is shown with them. */
  async findNames({ code, label }: Pick<Choice, "code" | "label">): Promise<Names> {
    const place = await this.#findPlace(code, AbortSignal.timeout(names_ms))
    if (!label && place && readCode(this.#view.input.value, this.#depth) === code) {
      this.#place = place
      this.#finish(this.#isDone)
      if (this.#said[0] === "chosen") this.#sayChosen(code)
    }
    return this.namesOf(code) ?? {}
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
    const { change, field, input, list, locate, root, saved, unlisted } = this.#view
    // Loaded before it is needed: browsers cache a failed import, even if the connection comes back.
    root.addEventListener("focusin", () => {
      void this.#touched()
      loadUnlisted().catch(() => {})
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
    unlisted.addEventListener("click", () => void this.#openUnlisted())
    locate.addEventListener("click", () => void this.#locate())
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("click", () => this.#open())
    list.addEventListener("click", ({ target }) => this.#choose(this.#list?.choiceAt(target)))
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || !this.#onKey(event)) return
      event.preventDefault()
      event.stopPropagation()
    })
    field.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget === input || list.contains(relatedTarget as Node | null)) return
      this.#list?.close()
      this.#commit()
    })
  }

  /** Whether the list handled the key. Tab leaves the list without choosing. */
  #onKey({ key, target }: KeyboardEvent): boolean {
    const list = this.#list
    if (list?.isOpen) {
      return list.onKey(
        key,
        target,
        (choice) => (choice ? this.#choose(choice) : this.#commit()),
        () => this.#abort()
      )
    }
    const { input } = this.#view
    if (key === "Enter" && target === input && !this.#commit(true)) {
      void this.#touched().then(() => this.#submit?.(this.#settings.form))
    }
    if (!/^Arrow(Up|Down)$/.test(key)) return false
    this.#open()
    return true
  }

  /** Loads what every use needs; without it suggestions are plain. */
  #touched(): Promise<unknown> {
    this.#touch ??= Promise.all([
      this.#listener.onTouch(),
      loadUse().then(
        ({ rowStyles, startUse, submitImplicitly }) => {
          this.#submit = submitImplicitly
          adoptStyles(this.#view.root, rowStyles)
          const opens = (code: Code) => depthOf(code) < this.#depth
          const rowTools = { fill, make, spaced, opens, messages: () => this.#settings.messages }
          const tools = { ...rowTools, failure: Problem, slotsOf }
          const use = startUse(this.#view, tools)
          this.#list = use.list
          this.#search = use.search
        },
        () => {
          this.#touch = undefined
        }
      )
    ])
    return this.#touch
  }

  async #loadSearch(): Promise<Search> {
    await this.#touched()
    if (this.#search === undefined) throw new Error("offline")
    return this.#search
  }

  /** The place of a code; empty if it is unknown or cannot be requested. */
  async #findPlace(code: Code, signal: AbortSignal): Promise<string> {
    await this.#touched()
    return this.#search?.findPlace(this.#gateway, code, signal) ?? ""
  }

  #typed(): void {
    const text = this.#view.input.value
    if (this.#form) this.stop()
    this.#isTaken = false
    this.#finish(false)
    this.#takeText(true)
    this.#abort()
    if (text.trim() === "") this.#suggest(text)
    else this.#timer = setTimeout(() => this.#suggest(text), pause_ms)
  }

  #open(): void {
    if (this.#settings.readOnly) return
    if (!this.#isDone && !this.#list?.isOpen && !this.#list?.reopen()) this.#suggest(this.#view.input.value)
  }

  #suggest(text: string): void {
    const { bookmarks } = this.#user
    if (text.trim() === "" && bookmarks?.length) this.#list?.show(bookmarks)
    else void this.#complete(text)
  }

  /** @param heading a line above the suggestions */
  async #complete(text: string, heading = ""): Promise<void> {
    const signal = this.#asking.next()
    const completed = await this.#ask(
      async () => (await this.#loadSearch()).complete(this.#gateway, text, signal),
      "busy",
      signal
    )
    if (completed === undefined) return
    const [found, meant, places] = completed
    const choices: ReadonlyArray<Choice> = meant
      ? [
          {
            code: meant,
            label: await this.#findPlace(meant, signal),
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
    const isAway = addresses === undefined
    if (!heading) this.#setAway(isAway)
    if (isAway || addresses.length > 0) {
      const { kept } = this.#settings.messages
      const isLeft = !this.#view.root.activeElement
      this.#offer([...(addresses ?? []), ...choices], text, isAway ? kept : "")
      if (isAway && choices.length === 0) this.say("kept")
      if (isLeft) this.#list?.close()
    } else if (found.length === 0) this.say(meant || startsAsCode.test(text) ? "unknown" : "none")
  }

  #offer(choices: ReadonlyArray<Choice>, text: string, heading = ""): void {
    this.#list?.show(choices, text, heading)
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

  /** Choices for an address; undefined if it cannot be searched for. */
  async #findAddress(
    text: string,
    places: ReadonlyArray<Suggestion>,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Choice> | undefined> {
    try {
      return await (await this.#loadAddresses()).find(text, places, this.#user.session, signal)
    } catch (error) {
      if (!signal.aborted) this.#report(toProblem(error))
      return undefined
    }
  }

  /** The page hears once why nothing is found, until something is. */
  #report(problem: Problem): void {
    if (problem.code === this.#problem) return
    this.#problem = problem.code
    this.#listener.onProblem(problem)
  }

  #setAway(isAway: boolean): void {
    if (!isAway) this.#problem = ""
    if (this.isAway === isAway) return
    this.isAway = isAway
    if (!this.#isTaken) this.#takeText(this.#isTyped)
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
    const { value } = this.#view.input
    if (this.#isTyped) this.#address = this.#search?.isAddress(value, label) ? value : ""
    if (depthOf(choice.code) >= this.#depth) {
      this.#setText(code)
      this.#deliver(choice)
      if (this.#list?.touched) this.#view.status.focus()
      else this.#view.input.focus()
      return
    }
    // Parts without names are of no use to a user who knows an address.
    if (this.#address && depthOf(choice.code) > 1) {
      this.#take({ ...choice, names: this.namesOf(choice.code) ?? {}, text: this.#address, status: "partial" })
      return
    }
    // After a search by name the field shows the name. A user who typed a code can continue typing it.
    const isNamed = label !== "" && !slotsOf(this.#view.input.value)
    const place = isNamed ? label : this.#search?.placeOf(choice.code)
    this.#setText(isNamed ? label : `${code} `)
    const where = depthOf(choice.code) > 2 && place ? `${place}, ${code}` : place || code
    const { next, street } = this.#settings.messages
    const values = { place: where, street: this.#canIdentify ? street : "" }
    this.say("next", values)
    void this.#complete(code, fill(next, values))
  }

  /**
   * Accepts a text that is a postcode, or clears the selection. Enter also confirms what was selected before.
   *
   * @returns whether there was something to confirm
   */
  #commit(isEnter = false): boolean {
    const code = readCode(this.#view.input.value, this.#depth)
    if (code === undefined) this.#listener.onNone()
    else if (this.#isTyped) {
      this.#setText(spaced(code))
      this.#deliver({ code, label: "", source: "search" })
      return true
    } else if (isEnter && !this.#isDone) {
      this.#finish(true)
      return true
    }
    return false
  }

  /** Takes what is known of an address without a postcode. The field keeps what the user typed. */
  #take(choice: Choice): void {
    const { input } = this.#view
    const { label, text = "" } = choice
    this.stop()
    this.#isTyped = false
    this.#isTaken = true
    this.#place = label
    this.say("kept")
    input.value = text
    this.#listener.onText(text, false, choice)
    this.#finish(true)
    this.#listener.onPick(choice)
    input.focus()
  }

  async #openUnlisted(): Promise<void> {
    this.stop()
    const { input, panel, root } = this.#view
    const loaded = await this.#ask(loadUnlisted, "busy")
    if (!loaded) return
    adoptStyles(root, loaded.unlistedStyles)
    this.#form = loaded.openUnlisted(panel, make, this.#settings.messages, {
      typed: slotsOf(input.value) ? "" : input.value,
      placesIn: async (code) =>
        (await (await this.#loadSearch()).complete(this.#gateway, code, this.#asking.next()))[0],
      onCancel: () => this.#leaveForm(),
      onTake: (choice) => this.#take(choice)
    })
    this.#finish(false)
    this.say("hint")
  }

  #deliver(choice: Choice): void {
    const isUnknown = this.#said[0] === "unknown" && !choice.label && !choice.typed
    this.stop()
    this.#isTaken = false
    this.#place = choice.label || this.#search?.placeOf(choice.code) || ""
    if (!isUnknown) this.#sayChosen(choice.code)
    this.#finish(true)
    this.#listener.onPick(choice)
  }

  #sayChosen(code: string): void {
    this.say("chosen", { code: [this.#place, spaced(code)].filter(Boolean).join(", ") })
  }

  /** Shows the selection, or the ways to one. */
  #finish(isDone: boolean): void {
    const { actions, change, done, field, place } = this.#view
    this.#isDone = isDone
    if (isDone) void this.#touched()
    const { readOnly } = this.#settings
    actions.hidden = (isDone && !this.#isTaken) || readOnly || this.#form !== undefined
    change.hidden = readOnly
    done.hidden = !isDone
    place.textContent = this.#place || this.#settings.messages.picked
    field.classList.toggle("done", isDone)
    done.classList.toggle("unknown", this.#said[0] === "unknown")
  }

  async #openSaved(): Promise<void> {
    this.stop()
    const saved = await this.#ask(loadSaved, "unavailable")
    if (saved === undefined) return
    const { panel, root } = this.#view
    adoptStyles(root, saved.savedStyles)
    await saved.showSaved(this.#user, panel, make, {
      ask: (question) => this.#ask(question, "unavailable"),
      messages: () => this.#settings.messages,
      openSession: (identifier, signal) => this.#openSession(identifier, signal),
      onForm: (form) => {
        this.#form = form
        this.#finish(false)
        this.say("hint")
      },
      onBookmarks: (found) => {
        this.#leaveForm()
        this.#list?.show(found)
        if (found.length === 0) this.say("noBookmarks")
        this.#takeText(this.#isTyped)
      },
      onCancel: () => this.#leaveForm(),
      onOther: (text) => {
        if (!readCode(text, 5)) return false
        this.#leaveForm()
        this.#view.input.value = text
        this.#takeText(true)
        this.#commit()
        return true
      }
    })
  }

  #leaveForm(): void {
    this.stop()
    this.#view.input.focus()
  }

  /** Costs a credit. */
  async #openSession(identifier?: string, signal?: AbortSignal): Promise<Session> {
    const [{ Session }, { asker }] = await Promise.all([loadSession(), loadUse()])
    const session = new Session({ ask: asker(Problem), readCode, urlOf }, this.#settings, identifier)
    await session.open(signal)
    return session
  }

  async #locate(): Promise<void> {
    this.stop()
    const located = await this.#ask(async (signal) => {
      this.say("locating")
      const [{ locate }, search] = await Promise.all([loadLocation(), this.#loadSearch()])
      return locate(search, this.#gateway, this.#words, signal, this.#view.panel, {
        ...this.#listener,
        onCancel: () => this.#leaveForm(),
        addresses: () => this.#loadAddresses(),
        list: this.#list as ListBox,
        session: this.#user.session,
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
      this.#list?.show([])
      // No credits, or the key's daily limit: other limits end within a minute.
      this.#isUsedUp ||= otherwise === "unavailable" && (problem.status === 402 || problem.retryAfter_s > 60)
      if (code) this.#sayChosen(code)
      else this.say(problem.status === 0 ? "offline" : otherwise)
      if (otherwise === "unavailable") this.#listener.onProblem(problem)
      else {
        this.#report(problem)
        this.#setAway(true)
      }
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
    this.#listener.onText(this.#view.input.value, isTyped)
  }
}

/** A state's letters and a digit: the text is meant as a postcode. */
const startsAsCode = /^\s*[a-z]{2}[\s-]*\d/i

/** A selection is sent without names after this time. */
const names_ms = 3_000

const loadLocation = () => import("./Location.ts")
/** Chromium remembers for good that a file could not be loaded. With a query, it is another file. */
const loadUse = () =>
  import("./Use.ts").catch(
    ({ message }): Promise<typeof import("./Use.ts")> => import(`${/http\S+/.exec(message)}?${Date.now()}`)
  )
const loadSaved = () => import("./Saved.ts")
const loadUnlisted = () => import("./Unlisted.ts")
const loadSession = () => import("./session/Session.ts")

/** While offline, a lazy part of the picker may have failed to load. */
const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, navigator.onLine ? "unexpected_answer" : "offline", String(error))
