import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "../layout/Icon.tsx"

/** How what is said is meant. */
export type Tone = "bad" | "good" | "info" | "warning"

export interface NoticeProps {
  readonly tone?: Tone
  readonly title: string
  readonly children?: ComponentChildren
  /** Whether it is read out at once, as what answers something that was just done. */
  readonly isSpoken?: boolean
}

/** Something to know, apart from what stands around it. */
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
