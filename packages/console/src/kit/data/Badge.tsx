import type { Tone } from "../feedback/Notice.tsx"
import { Icon, type IconName } from "../layout/Icon.tsx"

type BadgeTone = Tone | "plain"

/** A state as a word, an icon and a colour. */
export const Badge = ({ children, tone = "info" }: { readonly children: string; readonly tone?: BadgeTone }) => (
  <span class={`badge ${tone}`}>
    <Icon name={icons[tone]} />
    {children}
  </span>
)

/** Drawn, because not every font has such characters. */
const icons: Readonly<Record<BadgeTone, IconName>> = {
  bad: "close",
  good: "check",
  info: "info",
  plain: "circle",
  warning: "alert"
}

/** The words and the tone of each state. */
export type States<State extends string> = Readonly<Record<State, readonly [string, BadgeTone]>>

/** A badge for each state of a thing. */
export const badgeOf =
  <State extends string>(states: States<State>) =>
  ({ status }: { readonly status: State }) => {
    const [words, tone] = states[status]
    return <Badge tone={tone}>{words}</Badge>
  }
