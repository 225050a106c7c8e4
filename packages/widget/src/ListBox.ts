/**
 * The suggestions of a combobox, as in the ARIA Authoring Practices. With a keyboard the focus stays in the input, and
 * `aria-activedescendant` names the active option. On touch screens the options get the focus, since screen readers
 * there do not follow `aria-activedescendant`.
 */
import type { Choice } from "./session/Search.ts"
import type { make, View } from "./View.ts"

/** Makes the content of a suggestion; what matches the typed text is bold. */
export type MakeRow = (choice: Choice, text: string) => ReadonlyArray<Node | string>

export class ListBox {
  /** Whether the options get the focus. */
  touched = matchMedia("(pointer: coarse)").matches
  readonly #createNode: typeof make
  readonly #makeRow: MakeRow
  readonly #follow: (view: View) => void
  readonly #view: View
  readonly #input: HTMLInputElement
  readonly #list: HTMLUListElement
  #choices: ReadonlyArray<Choice> = []
  #active = -1

  /** @param follow keeps the open list at its field, within what is visible */
  constructor(view: View, createNode: typeof make, makeRow: MakeRow, follow: (view: View) => void) {
    this.#view = view
    this.#createNode = createNode
    this.#makeRow = makeRow
    this.#follow = follow
    // Otherwise the focus would leave the input, which closes the list before the click.
    view.drop.addEventListener("mousedown", (event) => {
      const isFinger = this.touched && this.#list.contains(event.target as Node)
      if (this.isOpen && !isFinger) event.preventDefault()
    })
    view.root.addEventListener("pointerdown", (event) => {
      this.touched = (event as PointerEvent).pointerType !== "mouse"
    })
    this.#input = view.input
    this.#list = view.list
  }

  get isOpen(): boolean {
    return !this.#list.hidden
  }

  get active(): Choice | undefined {
    return this.#choices[this.#active]
  }

  /**
   * Opens with these choices, of which only the one that was active stays so; closes if there are none.
   *
   * @param text the typed text, whose matches are bold
   * @param heading a line above the choices
   */
  show(choices: ReadonlyArray<Choice>, text = "", heading = ""): void {
    const active = choices.indexOf(this.active as Choice)
    const hadFocus = this.#list.contains((this.#list.getRootNode() as ShadowRoot).activeElement)
    this.#choices = choices
    const options = choices.map((choice, index) =>
      this.#createNode(
        "li",
        { part: "option", id: `option-${index}`, role: "option", tabindex: "-1" },
        ...this.#makeRow(choice, text)
      )
    )
    this.#list.replaceChildren(...options)
    this.#list.dataset.heading = heading
    this.#list.scrollTop = 0
    this.#open(choices.length > 0)
    if (active >= 0) this.activate(active)
    else if (hadFocus) this.#list.focus()
  }

  close(): void {
    this.#open(false)
  }

  /** Reopens a closed list. */
  reopen(): boolean {
    this.#open(this.#choices.length > 0)
    return this.isOpen
  }

  /** Moves to another option; the last precedes the first. */
  move(step: 1 | -1): void {
    const count = this.#choices.length
    this.activate(this.#active < 0 && step < 0 ? count - 1 : (this.#active + step + count) % count)
  }

  /** Negative numbers count from the end. */
  activate(index: number): void {
    this.#option()?.setAttribute("aria-selected", "false")
    this.#active = index < 0 ? this.#choices.length + index : index
    const option = this.#option()
    option?.setAttribute("aria-selected", "true")
    option?.scrollIntoView({ block: "nearest" })
    if (this.touched) option?.focus()
    else this.#input.setAttribute("aria-activedescendant", option?.id ?? "")
  }

  /**
   * Whether the open list handled the key.
   *
   * @param onEnter without a choice, if no option is active
   */
  onKey(
    key: string,
    target: EventTarget | null,
    onEnter: (choice: Choice | undefined) => void,
    onEscape: () => void
  ): boolean {
    const onOption = this.choiceAt(target)
    if (key === "Escape") {
      onEscape()
      this.close()
      this.#input.focus()
    } else if (target instanceof HTMLButtonElement) return false
    else if (key === "ArrowDown" || key === "ArrowUp") this.move(key === "ArrowDown" ? 1 : -1)
    else if (key === "Enter" || (key === " " && onOption)) onEnter(this.active ?? onOption)
    else if ((key === "Home" || key === "End") && this.active) this.activate(key === "Home" ? 0 : -1)
    else return false
    return true
  }

  /** The choice of an event's option. */
  choiceAt(target: EventTarget | null): Choice | undefined {
    const option = target instanceof Element ? target.closest("li") : null
    return this.#choices[([...this.#list.children] as ReadonlyArray<unknown>).indexOf(option)]
  }

  #option(): HTMLElement | undefined {
    return this.#list.children[this.#active] as HTMLElement | undefined
  }

  #open(open: boolean): void {
    this.#active = -1
    this.#input.removeAttribute("aria-activedescendant")
    if (open === this.#list.hidden) this.#lift(open)
    this.#list.hidden = !open
    this.#input.setAttribute("aria-expanded", String(open))
    for (const option of this.#list.children) option.setAttribute("aria-selected", "false")
  }
  /** Into the top layer, where nothing of the page cuts or covers it. What is below stays where it is. */
  #lift(open: boolean): void {
    const { drop, field } = this.#view
    field.style.minBlockSize = open ? `${field.offsetHeight}px` : ""
    drop.classList.toggle("open", open)
    if (drop.isConnected) drop.togglePopover?.(open)
    if (open) this.#follow(this.#view)
  }
}
