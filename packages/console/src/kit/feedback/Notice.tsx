import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "../layout/Icon.tsx"

/** The kind of a notice. */
export type Tone = "bad" | "good" | "info" | "warning"

export interface NoticeProps {
  readonly tone?: Tone
  readonly title: string
  readonly children?: ComponentChildren
  /** Whether screen readers announce it immediately, as the result of an action. */
  readonly isSpoken?: boolean
}

/** A highlighted message. */
export const Notice = ({ children, isSpoken = false, title, tone = "info" }: NoticeProps) => (
  <div class={`notice ${tone}`} role={isSpoken ? (tone === "bad" ? "alert" : "status") : undefined}>
    <Icon name={icons[tone]} />
    <div>
      <p class="title">{title}</p>
      {children}
    </div>
  </div>
)

const icons: Readonly<Record<Tone, IconName>> = { bad: "alert", good: "check", info: "info", warning: "alert" }
