/** What a screen is: a path, what shows it, who may see it, and its place in the navigation. */
import type { ManagementCall } from "@postcode/core/ManagementAccess"
import type { ComponentChildren } from "preact"
import type { IconName } from "../kit/layout/Icon.tsx"

/** The parts of a path that are written `:name`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [N in Name]: string } & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? { readonly [N in Name]: string }
    : unknown

/** Where a screen stands in the navigation; its path has no parameter but `:organization`. */
export interface Entry {
  readonly group: "instance" | "organization"
  readonly label: string
  readonly icon: IconName
}

/** What shows a screen: a component that takes the parameters of its path. */
export type View<Params> = (props: { readonly params: Params }) => ComponentChildren

/** A screen, before its chunk is there. */
export interface Screen {
  readonly path: string
  /** The call without which the screen is nothing: whoever may not make it is not shown the way here. */
  readonly call: ManagementCall | undefined
  readonly entry: Entry | undefined
  readonly load: () => Promise<View<never>>
}

interface ScreenInput<Path extends string> {
  readonly path: Path
  readonly call?: ManagementCall
  readonly entry?: Entry
  /** Loads the chunk with the component. */
  readonly load: () => Promise<View<ParamsOf<Path>>>
}

/** Checks that a component takes what its path has. */
export const screen = <const Path extends string>({ call, entry, load, path }: ScreenInput<Path>): Screen => ({
  path,
  call,
  entry,
  load: load as Screen["load"]
})

/** The screen that is at a path. */
export const screenAt = (screens: ReadonlyArray<Screen>, path: string): Screen | undefined =>
  screens.find((screen) => match(screen.path, path) !== undefined)

/** The parameters of a path, if it is one of a pattern such as `/organizations/:organization/keys`. */
export const match = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const steps = path.split("/")
  const expected = pattern.split("/")
  if (steps.length !== expected.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, name] of expected.entries()) {
    const step = steps[i] ?? ""
    if (name.startsWith(":") && idPattern.test(step)) params[name.slice(1)] = step
    else if (name !== step) return undefined
  }
  return params
}

/** Ids are made by the service, so anything else is none. */
const idPattern = /^\w{1,64}$/
