import type { Tone } from "../feedback/Notice.tsx"

/** A state as a word, an icon and a colour. */
export const Badge = ({ children, tone = "info" }: { readonly children: string; readonly tone?: Tone | "plain" }) => (
  <span class={`badge ${tone}`}>
    <span class="sign" aria-hidden="true">
      {signs[tone]}
    </span>
    {children}
  </span>
)

const signs: Readonly<Record<Tone | "plain", string>> = { bad: "✕", good: "✓", info: "●", plain: "○", warning: "▲" }
