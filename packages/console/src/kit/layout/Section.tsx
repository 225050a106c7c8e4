import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface SectionProps {
  readonly title: string
  readonly lead?: ComponentChildren
  /** Buttons. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A framed part of a screen. */
export const Section = ({ actions, children, lead, title }: SectionProps) => {
  const id = useId()
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
