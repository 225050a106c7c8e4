/** The ways to a postcode: suggestions, saved postcodes, the position, and the form for an address that is not listed. */
import type { Dialogue } from "./Dialogue.ts"
import { formOpener, type OpenForm } from "./Form.ts"
import type { ListBox } from "./ListBox.ts"
import type { fill } from "./languages/Messages.ts"
import type { loadAgain } from "./loadAgain.ts"
import type { EndUser } from "./Saved.ts"
import type { Addresses } from "./session/Addresses.ts"
import type { Ask } from "./session/Ask.ts"
import type { Problem, urlOf } from "./session/Request.ts"
import type { Choice, Search, Suggestion } from "./session/Search.ts"
import type { Session } from "./session/Session.ts"
import type { adoptStyles } from "./styles.ts"
import type { depthOf, readCode, slotsOf, spaced } from "./TypedCode.ts"
import type { make, svg } from "./View.ts"

/** Shared with the entry. */
export interface WayTools {
  readonly adoptStyles: typeof adoptStyles
  readonly depthOf: typeof depthOf
  readonly fill: typeof fill
  readonly loadAgain: typeof loadAgain
  readonly make: typeof make
  readonly Problem: typeof Problem
  readonly readCode: typeof readCode
  readonly slotsOf: typeof slotsOf
  readonly spaced: typeof spaced
  readonly svg: typeof svg
  readonly urlOf: typeof urlOf
}

export class Ways {
  readonly list: ListBox
  readonly search: Search
  /** As Enter in any field. */
  readonly submit: (form: HTMLFormElement | null) => void
  /** The identified end user. */
  user: EndUser = {}
  readonly #flow: Dialogue
  readonly #tools: WayTools & { readonly ask: Ask }
  readonly #openForm: OpenForm
  /** The text of a user who typed an address, and then chose a place. */
  #address = ""
  #addresses: Addresses | undefined

  constructor(
    flow: Dialogue,
    tools: WayTools & { readonly ask: Ask },
    { list, search, submit }: Pick<Ways, "list" | "search" | "submit">
  ) {
    this.#flow = flow
    this.#tools = tools
    this.#openForm = formOpener(flow.view.panel, tools.make)
    this.list = list
    this.search = search
    this.submit = submit
  }

  /** Loads what must open without a connection. */
  prepare(): void {
    loadUnlisted().catch(() => {})
    if (this.#flow.view.saved.hidden) return
    for (const load of [loadSaved, loadSession]) load().catch(() => {})
  }

  /** @param ofPage also the visit that the pickers of the page share */
  forget(ofPage: boolean): void {
    if (ofPage) this.#addresses?.forget()
    this.user = {}
    this.#addresses = undefined
  }

  suggest(text: string): void {
    const { bookmarks } = this.user
    if (text.trim() === "" && bookmarks?.length) this.list.show(bookmarks)
    else void this.#complete(text)
  }

  choose(choice: Choice | undefined): void {
    if (choice === undefined) return
    const flow = this.#flow
    const { depthOf, fill, slotsOf, spaced } = this.#tools
    const { input, status } = flow.view
    const { label } = choice
    const code = spaced(choice.code)
    if (flow.isTyped) {
      const isAddress = !slotsOf(input.value) && !this.search.isPlace(input.value, [choice])
      this.#address = isAddress ? input.value : ""
    }
    if (depthOf(choice.code) >= flow.depth) {
      flow.deliver(choice)
      if (this.list.touched) status.focus()
      else input.focus()
      return
    }
    // Parts without names are of no use to a user who knows an address.
    if (this.#address && depthOf(choice.code) > 1) {
      this.#take({ ...choice, names: flow.namesOf(choice.code) ?? {}, text: this.#address, status: "partial" })
      return
    }
    // After a search by name the field shows the name. A user who typed a code can continue typing it.
    const isNamed = label !== "" && !slotsOf(input.value)
    const place = isNamed ? label : this.search.placeOf(choice.code)
    flow.setText(isNamed ? label : `${code} `)
    const where = depthOf(choice.code) > 2 && place ? `${place}, ${code}` : place || code
    const { next, street } = flow.settings.messages
    const values = { place: where, street: flow.canIdentify ? street : "" }
    flow.say("next", values)
    void this.#complete(code, fill(next, values))
  }

  async openUnlisted(): Promise<void> {
    const flow = this.#flow
    const { make, slotsOf } = this.#tools
    flow.stop()
    const loaded = await flow.ask(() => this.#tools.loadAgain(loadUnlisted))
    if (!loaded) return
    const { input } = flow.view
    flow.form = loaded.openUnlisted(this.#openForm, make, flow.settings.messages, {
      typed: slotsOf(input.value) ? "" : input.value,
      placesIn: async (code) => (await this.search.complete(flow.gateway, code, flow.asking.next()))[0],
      onCancel: () => this.#leaveForm(),
      onTake: (choice) => this.#take(choice)
    })
    flow.finish(false)
    flow.say("hint")
  }

  async openSaved(): Promise<void> {
    const flow = this.#flow
    const { make, readCode } = this.#tools
    flow.stop()
    const saved = await flow.ask(() => this.#tools.loadAgain(loadSaved), "unavailable")
    if (saved === undefined) return
    await saved.showSaved(this.user, this.#openForm, make, {
      ask: (question) => flow.ask(question, "unavailable"),
      messages: () => flow.settings.messages,
      openSession: (identifier, signal) => this.#openSession(identifier, signal),
      onForm: (form) => {
        flow.form = form
        flow.finish(false)
        flow.say("hint")
      },
      onBookmarks: (found) => {
        this.#leaveForm()
        this.list.show(found)
        if (found.length === 0) flow.say("noBookmarks")
        flow.takeText(flow.isTyped)
      },
      onCancel: () => this.#leaveForm(),
      onOther: (text) => {
        if (!readCode(text, 5)) return false
        this.#leaveForm()
        flow.view.input.value = text
        flow.takeText(true)
        flow.commit()
        return true
      }
    })
  }

  async locate(): Promise<void> {
    const flow = this.#flow
    flow.stop()
    const located = await flow.ask(async (signal) => {
      flow.say("locating")
      const { locate } = await this.#tools.loadAgain(loadLocation)
      return locate(this.search, flow.gateway, this.#words, signal, flow.view.panel, {
        ...flow.listener,
        onCancel: () => this.#leaveForm(),
        addresses: () => this.#loadAddresses(),
        list: this.list,
        session: this.user.session,
        onPick: (choice) => this.choose(choice)
      })
    })
    if (!located) return
    flow.form = located.form
    flow.finish(false)
    flow.say(located.message, located.values)
  }

  get #words() {
    return { ...this.#tools, messages: this.#flow.settings.messages }
  }

  /** @param heading a line above the suggestions */
  async #complete(text: string, heading = ""): Promise<void> {
    const flow = this.#flow
    const { gateway, view } = flow
    const signal = flow.asking.next()
    const completed = await flow.ask(() => this.search.complete(gateway, text, signal), "busy", signal)
    if (completed === undefined) return
    const [found, meant, places] = completed
    const choices: ReadonlyArray<Choice> = meant
      ? [{ code: meant, label: await this.search.findPlace(gateway, meant, signal), typed: text, source: "search" }]
      : await this.#describe(found, places)
    if (signal.aborted) return
    // After a choice, all parts begin with its code, and nothing was typed.
    this.#offer(choices, heading ? "" : text, heading)
    const isKnown = meant || this.#tools.slotsOf(text) || this.search.isPlace(text, places)
    const addresses = isKnown || !flow.canIdentify ? [] : await this.#findAddress(text, places, signal)
    if (signal.aborted) return
    const isUnavailable = addresses === undefined
    if (!heading) flow.setUnavailable(isUnavailable)
    if (isUnavailable || addresses.length > 0) {
      const { kept } = flow.settings.messages
      const isLeft = !view.root.activeElement
      this.#offer([...(addresses ?? []), ...choices], text, isUnavailable ? kept : "")
      if (isUnavailable && choices.length === 0) flow.say("kept")
      if (isLeft) this.list.close()
    } else if (found.length === 0) flow.say(meant || startsAsCode.test(text) ? "unknown" : "none")
  }

  #offer(choices: ReadonlyArray<Choice>, text: string, heading = ""): void {
    this.list.show(choices, text, heading)
    if (choices.length > 0) this.#flow.say("results", { n: choices.length })
  }

  /** Adds to unnamed parts what the gateway knows of them. */
  async #describe(
    choices: ReadonlyArray<Choice>,
    suggestions: ReadonlyArray<Suggestion>
  ): Promise<ReadonlyArray<Choice>> {
    if (!suggestions.some(({ code, label, units }) => units && code === label)) return choices
    const loaded = await this.#tools.loadAgain(loadLocation).catch(() => undefined)
    return loaded?.described(choices, suggestions, this.#words) ?? choices
  }

  /** Choices for an address; undefined if it cannot be searched for. */
  async #findAddress(
    text: string,
    places: ReadonlyArray<Suggestion>,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Choice> | undefined> {
    try {
      return await (await this.#loadAddresses()).find(text, places, this.user.session, signal)
    } catch (error) {
      if (!signal.aborted) this.#flow.report(error)
      return undefined
    }
  }

  async #loadAddresses(): Promise<Addresses> {
    const { Addresses } = await this.#tools.loadAgain(loadAddresses)
    this.#addresses ??= new Addresses(() => this.#openSession(), this.#flow.settings)
    return this.#addresses
  }

  /** Costs a credit. */
  async #openSession(identifier?: string, signal?: AbortSignal): Promise<Session> {
    const { Session } = await this.#tools.loadAgain(loadSession)
    const session = new Session(this.#tools, this.#flow.settings, identifier)
    await session.open(signal)
    return session
  }

  /** Takes what is known of an address without a postcode. The field keeps what the user typed. */
  #take(choice: Choice): void {
    const flow = this.#flow
    const { input } = flow.view
    const { label, text = "" } = choice
    flow.stop()
    flow.isTyped = false
    flow.isTaken = true
    flow.place = label
    flow.say("kept")
    input.value = text
    flow.listener.onText(text, false, choice)
    flow.finish(true)
    flow.listener.onPick(choice)
    input.focus()
  }

  #leaveForm(): void {
    this.#flow.stop()
    this.#flow.view.input.focus()
  }
}

/** A state's letters and a digit: the text is meant as a postcode. */
const startsAsCode = /^\s*[a-z]{2}[\s-]*\d/i

const loadAddresses = () => import("./session/Addresses.ts")
const loadLocation = () => import("./Location.ts")
const loadSaved = () => import("./Saved.ts")
const loadUnlisted = () => import("./Unlisted.ts")
const loadSession = () => import("./session/Session.ts")
