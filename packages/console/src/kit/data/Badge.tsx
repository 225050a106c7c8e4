import type { Tone } from "../feedback/Notice.tsx"

type BadgeTone = Tone | "plain"

/** A state as a word, an icon and a colour. */
export const Badge = ({ children, tone = "info" }: { readonly children: string; readonly tone?: BadgeTone }) => (
  <span class={`badge ${tone}`}>
    <span class="sign" aria-hidden="true">
      {signs[tone]}
    </span>
    {children}
  </span>
)

const signs: Readonly<Record<BadgeTone, string>> = { bad: "✕", good: "✓", info: "●", plain: "○", warning: "▲" }

/** The words and the tone of each state. */
export type States<State extends string> = Readonly<Record<State, readonly [string, BadgeTone]>>

/** A badge for each state of a thing. */
export const badgeOf =
  <State extends string>(states: States<State>) =>
  ({ status }: { readonly status: State }) => {
    const [words, tone] = states[status]
    return <Badge tone={tone}>{words}</Badge>
  }
