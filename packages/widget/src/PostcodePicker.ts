/** `<postcode-picker>`: the element with its attributes, value, validity and events. `Flow` controls its content. */
import { makeSelection, type PostcodeSelection } from "@postcode/core/Selection"
import { Flow } from "./Flow.ts"
import { loadLaterMessages, loadMessages } from "./languages/loadMessages.ts"
import { english, type Messages } from "./languages/Messages.ts"
import { loadAgain } from "./loadAgain.ts"
import type { Problem } from "./session/Request.ts"
import type { Choice, Names } from "./session/Search.ts"
import { adoptStylesAgain } from "./styles.ts"
import { type Code, depthUntil, readCode, spaced } from "./TypedCode.ts"
import { makeView, type View } from "./View.ts"

/** The attributes; each is reflected by a property. */
export interface PickerAttributes {
  /** Opens sessions of end users. Without a key there are no bookmarks and no addresses; places and typing need none. */
  publishableKey: string
  /** The gateway's address; the page's own origin by default. */
  gateway: string
  /** The address of the widget endpoints; the gateway's by default. */
  platform: string
  name: string
  /** The field's label, if there is no `<label>`. */
  label: string
  /** The segment that a selection needs, `unit` by default: `state`, `lga`, `district`, `area` or `unit`. */
  until: string
  /** The fields of the page that a selection fills: `state:#state lga:#lga`. */
  fill: string
  placeholder: string
  /** What browsers may fill in; `off` by default. */
  autocomplete: string
  required: boolean
  disabled: boolean
  /** The value is part of the form, and the user cannot change it. */
  readOnly: boolean
  /** Whether end users can choose one of their saved postcodes, which asks them for an identifier. */
  saved: boolean
}

const texts = [
  "publishableKey",
  "gateway",
  "platform",
  "name",
  "label",
  "until",
  "fill",
  "placeholder",
  "autocomplete"
] as const satisfies ReadonlyArray<keyof PickerAttributes>

const booleans = ["required", "disabled", "readOnly", "saved"] as const satisfies ReadonlyArray<keyof PickerAttributes>

const attributeOf = (property: string): string => property.replace("K", "-k").toLowerCase()

// On a server there is no HTMLElement; the module can still be imported there.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/**
 * `<postcode-picker>`: the field in which an end user selects a postcode, from bookmarks, by search, by position, or by
 * typing. It is a form control with a name and a value; `postcode-select` reports each selection.
 */
export interface PostcodePicker extends PickerAttributes {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the properties of the interface are defined below
export class PostcodePicker extends Base {
  static readonly formAssociated = true
  static readonly observedAttributes: ReadonlyArray<string> = [
    ...texts.map(attributeOf),
    "lang",
    "readonly",
    "required",
    "saved",
    "value"
  ]

  readonly #internals: ElementInternals = this.attachInternals()
  readonly #view: View = makeView(this)
  readonly #flow: Flow
  #language = ""
  #loaded: Partial<Messages> = english
  /** English messages that are loaded at the first use. */
  #later: Partial<Messages> = {}
  #overrides: Partial<Messages> = {}
  #text = ""
  #isEdited = false
  /** The selection, while the text matches it. */
  #picked: Choice | undefined
  /** The last value that was reported to the page by `change`, and by `input`. */
  #reported = ""
  #heard = ""
  /** What is known of a text that is not a postcode: of an address that is not listed, or of a place. */
  #given: Choice | undefined
  /** The page's own message of why the value is invalid. */
  #invalid = ""

  constructor() {
    super()
    this.#flow = new Flow(this.#view, this, {
      onText: (text, isTyped, given) => this.#takeText(text, isTyped, given),
      onPick: (choice) => void this.#pick(choice),
      onTouch: async () => {
        this.#later = await loadLaterMessages()
        this.#render()
      },
      onNone: () => this.#reported !== this.value && this.#change(),
      onProblem: (problem) => this.#emit("postcode-problem", problem)
    })
    this.addEventListener("invalid", () => this.#showInvalid())
    this.addEventListener("focus", () => this.#render())
    this.#view.slot.addEventListener("slotchange", () => this.isConnected && this.#takeOver()?.())
    this.addEventListener("input", () => {
      this.#heard = this.value
      this.#fillPage()
    })
  }

  /** The postcode in canonical format, `LA-12-A03-BG-07`, or an empty text. Accepts any format. */
  get value(): string {
    return this.#code() ?? this.#given?.code ?? ""
  }

  /** What the form gets: a whole postcode, or what the user typed where none can be found or is known. */
  get status(): "" | "selected" | "partial" | "unlisted" | "unavailable" {
    if (this.#code()) return "selected"
    if (!this.#text.trim()) return ""
    return this.#given?.status ?? (this.#flow.isUnavailable ? "unavailable" : "partial")
  }

  /** A page may write the value back at any time: the value that the picker has changes nothing. */
  set value(text: string | null | undefined) {
    const given = `${text ?? ""}`
    const code = readCode(given, 1) ?? ""
    if (code === this.value && (!given || code || given === this.#text)) return
    this.#restart(given, true)
    this.#fillPage()
  }

  /** Overrides of the language's messages. Before the first use most of the language's may be missing. */
  get messages(): Messages {
    return { ...this.#later, ...this.#loaded, ...this.#overrides } as Messages
  }

  set messages(messages: Partial<Messages>) {
    this.#overrides = messages
    this.#render()
  }

  get type(): string {
    return this.localName
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  get labels(): NodeList {
    return this.#internals.labels
  }

  get validity(): ValidityState {
    return this.#internals.validity
  }

  get validationMessage(): string {
    return this.#internals.validationMessage
  }

  get willValidate(): boolean {
    return this.#internals.willValidate
  }

  /** As of any form control: a text other than an empty one makes the picker invalid. */
  setCustomValidity(message: string): void {
    this.#invalid = message
    this.#checkValue()
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  protected connectedCallback(): void {
    const takeText = this.#takeOver()
    for (const name of ["value", "messages", ...booleans, ...texts]) this.#adopt(name)
    void this.#speak()
    if (this.#isEdited) this.#render()
    else this.#reset()
    takeText?.()
    // The browser looks for it before the element is defined.
    if (this.autofocus && document.activeElement === document.body) this.focus()
  }

  protected disconnectedCallback(): void {
    this.#flow.stop()
  }

  protected adoptedCallback(): void {
    if (this.isConnected) adoptStylesAgain(this.#view.root)
  }

  protected attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return
    const isOtherService = /key|gateway|platform/.test(name)
    if (isOtherService) this.#flow.forget()
    if (!this.isConnected) return
    if (name === "lang") void this.#speak()
    else if (isOtherService) this.#restart(this.#text, this.#isEdited)
    else if (name !== "value") this.#checkValue()
    else if (!this.#isEdited) this.#reset()
  }

  /** The browser's next user may be another person. */
  protected formResetCallback(): void {
    this.#flow.forget(true)
    this.#reset()
    this.#fillPage()
  }

  protected formStateRestoreCallback(state: string): void {
    this.value = state
  }

  protected formDisabledCallback(disabled: boolean): void {
    const { change, input, locate, saved, unlisted } = this.#view
    for (const control of [change, input, locate, saved, unlisted]) control.disabled = disabled
    this.#flow.stop()
  }

  #code(): Code | undefined {
    return readCode(this.#text, depthUntil(this.until))
  }

  #reset(): void {
    this.#restart(this.getAttribute("value") ?? "", false)
  }

  /** Typed text is kept when the attribute changes. */
  #restart(text: string, isEdited: boolean): void {
    const code = readCode(text, depthUntil(this.until))
    this.#heard = code ?? ""
    this.#flow.start(code ? spaced(code) : text)
    this.#reported = this.value
    this.#isEdited = isEdited
  }

  /** Fills the fields that the page names: from a selection, or only what the form has of the picker. */
  #fillPage(choice?: Choice, names: Names = {}): void {
    if (!this.fill) return
    loadAgain(() => import("./Fill.ts")).then(
      ({ fillFields }) => {
        const { fill, status, value } = this
        const stated = { code: value, status, text: this.#code() ? "" : (this.#given?.text ?? this.#text) }
        const current = this.#picked === choice ? choice : undefined
        fillFields(this.getRootNode() as ParentNode & Node, fill, stated, current, names)
      },
      () => {}
    )
  }

  /** Updates the form value on every input; events follow only final changes. */
  #takeText(text: string, isTyped: boolean, given?: Choice): void {
    this.#isEdited ||= text !== this.#text
    this.#text = text
    this.#given = given
    if (given || this.#picked?.code !== this.value) this.#picked = undefined
    this.#view.input.ariaInvalid = null
    this.#checkValue()
    // The browser reports what is typed.
    if (isTyped) this.#fillPage()
    else if (this.#heard !== this.value) this.#report("input")
  }

  #checkValue(): void {
    const { status } = this
    this.#internals.setFormValue(this.#entries(), this.#text)
    // An order is stopped only while a postcode can be found, unless the page insists on one.
    const isStrict = this.getAttribute("required") === "unit"
    const isMissing = this.required && (isStrict ? status !== "selected" : !status)
    const isUnfinished = this.required && status === "partial" && !this.#given
    const { incomplete, required } = this.messages
    const { input } = this.#view
    if (this.#invalid) this.#internals.setValidity({ customError: true }, this.#invalid, input)
    else if (isMissing) this.#internals.setValidity({ valueMissing: true }, required, input)
    else if (isUnfinished) this.#internals.setValidity({ badInput: true }, incomplete, input)
    else this.#internals.setValidity({})
    this.#render()
  }

  /** The postcode and its status; where it is not known, also what is. */
  #entries(): FormData | null {
    const { name, status, value } = this
    if (!name) return null
    const data = new FormData()
    data.append(name, value)
    if (status) data.append(`${name}-status`, status)
    if (!status || status === "selected") return data
    const { names, text = this.#text } = this.#given ?? {}
    for (const [part, known] of Object.entries({ ...names, text })) if (known) data.append(`${name}-${part}`, known)
    return data
  }

  #showInvalid(): void {
    this.#view.input.ariaInvalid = "true"
    this.#flow.say(this.validity.valueMissing ? "required" : "incomplete", {}, true)
  }

  #render(): void {
    const outside = [...this.#internals.labels].map((label) => label.textContent?.trim()).join(" ")
    const { input } = this.#view
    input.ariaRequired = String(this.required)
    input.readOnly = this.readOnly
    input.placeholder = this.placeholder
    input.autocomplete = (this.autocomplete || "off") as AutoFill
    this.#flow.render(outside || this.label || this.messages.postcode, outside !== "")
  }

  /** Uses the language of the element or of its ancestors. */
  async #speak(): Promise<void> {
    const language = inheritedLanguage(this)
    if (language === this.#language) return
    this.#language = language
    const loaded = await loadMessages(language)
    if (language !== this.#language) return
    this.#loaded = loaded
    this.#checkValue()
  }

  async #pick(choice: Choice): Promise<void> {
    const { address, code, coordinate, label, source } = choice
    if (this.#picked?.code === code) return
    this.#picked = choice
    if (!choice.status) this.#flow.record(choice)
    const isCurrent = () => this.#picked === choice
    // Known names are delivered at once, as of a <select>.
    const names = choice.names ?? this.#flow.namesOf(code) ?? (await this.#flow.findNames(choice))
    // The text has changed meanwhile, so the selection is obsolete.
    if (!isCurrent()) return
    this.#fillPage(choice, names)
    // The service has already left out what the key may not see.
    const known = { ...(address && { address }), ...(coordinate && { coordinate }), served_level: 5, names } as const
    if (code) this.#emit("postcode-select", makeSelection({ code, label, source, ...known }))
    this.#change()
  }

  /**
   * Takes the place of an input in the picker, which is for pages whose script does not load: its attributes, its label by
   * its id, and the focus. It takes no further part in the form.
   *
   * @returns takes what the user has typed before the script was loaded
   */
  #takeOver(): (() => void) | undefined {
    const inner = this.querySelector<HTMLInputElement>("input:enabled, input[name]")
    if (!inner) return undefined
    const isFocused = inner.matches(":focus")
    const { defaultValue, labels, value } = inner
    // The picker may have an id of its own.
    const named = [...(labels ?? [])].filter(({ htmlFor }) => htmlFor)
    for (const name of ["id", "name", ...PostcodePicker.observedAttributes, "disabled", "aria-describedby"]) {
      const given = inner.getAttribute(name)
      if (given !== null && !this.hasAttribute(name)) this.setAttribute(name, given)
    }
    for (const label of named) label.htmlFor = this.id
    inner.removeAttribute("id")
    inner.removeAttribute("name")
    inner.disabled = true
    return () => {
      const { input } = this.#view
      // Not the picker itself: it has the focus, as the input in it has.
      if (isFocused) input.focus()
      if (value === defaultValue) return
      input.value = value
      input.dispatchEvent(new Event("input", { bubbles: true, composed: true }))
    }
  }

  #change(): void {
    this.#reported = this.value
    this.#report("change")
  }

  #report(name: "change" | "input"): void {
    this.dispatchEvent(new Event(name, { bubbles: true, composed: name === "input" }))
  }

  #emit<K extends keyof PickerEventDetails>(name: K, detail: PickerEventDetails[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  /** A property set before the element was defined hides the accessor: set it again. */
  #adopt(name: string): void {
    const early = Object.getOwnPropertyDescriptor(this, name)
    if (early && Reflect.deleteProperty(this, name)) Reflect.set(this, name, early.value)
  }
}

/** Of the element or its ancestors, across shadow roots. */
const inheritedLanguage = (element: Element | undefined): string => {
  if (element === undefined) return ""
  const { host } = element.getRootNode() as Partial<ShadowRoot>
  return element.closest<HTMLElement>("[lang]")?.lang ?? inheritedLanguage(host)
}

for (const property of [...texts, ...booleans]) {
  const attribute = attributeOf(property)
  const isBoolean = (booleans as ReadonlyArray<string>).includes(property)
  Object.defineProperty(PostcodePicker.prototype, property, {
    configurable: true,
    enumerable: true,
    get(this: HTMLElement) {
      return isBoolean ? this.hasAttribute(attribute) : (this.getAttribute(attribute) ?? "")
    },
    set(this: HTMLElement, value: unknown) {
      const isSet = isBoolean ? value : (value ?? false) !== false
      if (isSet) this.setAttribute(attribute, value === true ? "" : String(value))
      else this.removeAttribute(attribute)
    }
  })
}

interface PickerEventDetails {
  readonly "postcode-select": PostcodeSelection
  readonly "postcode-problem": Problem
}

/** The events of a picker in addition to those of every element. */
export type PickerEventMap = { readonly [K in keyof PickerEventDetails]: CustomEvent<PickerEventDetails[K]> }

declare global {
  interface HTMLElementTagNameMap {
    "postcode-picker": PostcodePicker
  }
  interface HTMLElementEventMap extends PickerEventMap {}
}
