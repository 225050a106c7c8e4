/**
 * The picker as a component of React 17, 18 and 19. On a server it renders the element with its attributes, and reads
 * neither `window` nor `document`.
 */
import type { PostcodeSelection } from "@postcode/core/Selection"
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
  useState
} from "react"
import { definePicker } from "./createPicker.ts"
import type { Messages } from "./languages/Messages.ts"
import type { PickerAttributes, PostcodePicker as PostcodePickerElement } from "./PostcodePicker.ts"
import type { Problem } from "./session/Request.ts"

export type { PostcodePickerElement }

/** The native event of a picker. */
export interface PickerEvent extends Event {
  readonly currentTarget: PostcodePickerElement
  readonly target: PostcodePickerElement
}

/** With `| undefined`, as in the types of React. */
type Optional<A> = { [K in keyof A]?: A[K] | undefined }

interface OwnProps extends Optional<Omit<PickerAttributes, "autocomplete" | "required" | "until">> {
  /** `"unit"` refuses everything but a whole postcode. */
  required?: boolean | "unit" | undefined
  until?: "state" | "lga" | "district" | "area" | "unit" | undefined
  autoComplete?: string | undefined
  autoFocus?: boolean | undefined
  discover?: boolean | undefined
  mapStyle?: string | undefined
  messages?: Partial<Messages> | undefined
  /** Written whenever it changes: with `onInput`, the component is controlled. */
  value?: string | null | undefined
  /** The value at the beginning, and after a reset of the form. */
  defaultValue?: string | undefined
  onSelect?: ((selection: PostcodeSelection) => void) | undefined
  onProblem?: ((problem: Problem) => void) | undefined
  onInput?: ((event: PickerEvent) => void) | undefined
  onChange?: ((event: PickerEvent) => void) | undefined
}

/** The attributes and events of a picker, and the attributes of every element. */
export interface PostcodePickerProps extends Omit<HTMLAttributes<PostcodePickerElement>, keyof OwnProps>, OwnProps {}

/** Attributes that have another name than their property. */
const attributeNames: Readonly<Record<string, string>> = {
  autoComplete: "autocomplete",
  autoFocus: "autofocus",
  className: "class",
  mapStyle: "map-style",
  publishableKey: "publishable-key",
  readOnly: "readonly"
}

/** React writes `false` as a text into attributes of custom elements, up to version 18. */
const attributesOf = (props: object) =>
  Object.fromEntries(
    Object.entries(props).map(([name, value]) => [
      attributeNames[name] ?? name,
      value === false && !name.includes("-") ? undefined : value
    ])
  )

/**
 * `<postcode-picker>` as a component. `ref` is the element.
 *
 * ```tsx
 * <PostcodePicker name="postcode" gateway="https://gateway.example" onSelect={({ formatted }) => save(formatted)} />
 * ```
 */
export const PostcodePicker: ForwardRefExoticComponent<PostcodePickerProps & RefAttributes<PostcodePickerElement>> =
  forwardRef<PostcodePickerElement, PostcodePickerProps>((props, ref) => {
    const { defaultValue, messages, onChange, onInput, onProblem, onSelect, value, ...others } = props
    const element = useRef<PostcodePickerElement>(null)
    const handlers = useRef({ onChange, onInput, onProblem, onSelect })
    // Later values are written by the effects: React 19 would write the property.
    const [first] = useState(value ?? defaultValue)
    useImperativeHandle(ref, () => element.current as PostcodePickerElement, [])
    useEffect(() => {
      handlers.current = { onChange, onInput, onProblem, onSelect }
    })
    useEffect(() => {
      definePicker()
      return element.current ? listen(element.current, handlers) : undefined
    }, [])
    useEffect(() => {
      if (defaultValue !== undefined) element.current?.setAttribute("value", defaultValue)
    }, [defaultValue])
    useEffect(() => {
      if (element.current && value !== undefined) element.current.value = value
    }, [value])
    useEffect(() => {
      if (element.current && messages) element.current.messages = messages
    }, [messages])
    return createElement("postcode-picker", { ...attributesOf(others), ref: element, value: first ?? undefined })
  })

PostcodePicker.displayName = "PostcodePicker"

type Handlers = Pick<PostcodePickerProps, "onChange" | "onInput" | "onProblem" | "onSelect">

/** Up to version 18, React knows no events of custom elements. */
const listen = (element: PostcodePickerElement, handlers: { readonly current: Handlers }): (() => void) => {
  const listeners = new AbortController()
  const { signal } = listeners
  const on = (name: "change" | "input", call: (event: PickerEvent) => void) =>
    element.addEventListener(name, (event) => event.target === element && call(event as PickerEvent), { signal })
  on("input", (event) => handlers.current.onInput?.(event))
  on("change", (event) => handlers.current.onChange?.(event))
  element.addEventListener("postcode-select", ({ detail }) => handlers.current.onSelect?.(detail), { signal })
  element.addEventListener("postcode-problem", ({ detail }) => handlers.current.onProblem?.(detail), { signal })
  return () => listeners.abort()
}
